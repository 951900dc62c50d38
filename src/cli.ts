#!/usr/bin/env node
import { fileURLToPath } from 'node:url'
import packageJson from '../package.json' with { type: 'json' }
import type { CommandContext } from './cli/command.js'
import { EXIT } from './cli/exit-codes.js'
import { runProgram } from './cli/program.js'
import { createTerminal } from './cli/terminal.js'

const context: CommandContext = {
  terminal: createTerminal(process.stdout, process.stderr),
  folder: currentFolder(),
  environment: process.env,
  version: packageJson.version,
  programFile: fileURLToPath(import.meta.url),
}

/** Where the command runs; the root where that folder is gone, so that help and clear messages still come. */
function currentFolder(): string {
  try {
    return process.cwd()
  } catch {
    return '/'
  }
}

/** Ends the process once all is written, even if a module of the deployment still waits for something. */
async function leave(): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    await new Promise<void>((resolve) => stream.write('', () => resolve()))
  }
  process.exit()
}

/** A bug is reported and ends the process: what it left behind cannot be trusted. */
function dieOf(thrown: unknown): never {
  const reason = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
  context.terminal.err(`uncaught error, a bug of menuscript or of its policies module:\n${reason}`)
  process.exit(EXIT.bug)
}

process.on('uncaughtException', dieOf)
process.on('unhandledRejection', dieOf)

process.exitCode = await runProgram(context, process.argv.slice(2)).catch(dieOf)
await leave()
