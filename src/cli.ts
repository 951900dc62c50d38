#!/usr/bin/env node
import { fileURLToPath } from 'node:url'
import { CommanderError } from 'commander'
import packageJson from '../package.json' with { type: 'json' }
import type { CommandContext } from './cli/command.js'
import { EXIT } from './cli/exit-codes.js'
import type { ExplainRequest } from './cli/explain.js'
import type { ReadMenus } from './cli/lint.js'
import { createProgram } from './cli/program.js'
import type { OpenServed } from './cli/serve.js'
import { createTerminal } from './cli/terminal.js'
import type { openRuntime } from './runtime.js'
import { type Log, SILENT_LOG } from './service/log.js'
import { GitError } from './store/git/repository.js'

const context: CommandContext = {
  terminal: createTerminal(process.stdout, process.stderr),
  folder: currentFolder(),
  environment: process.env,
  version: packageJson.version,
}

/** Where the command runs; the root where that folder is gone, so that help and clear messages still come. */
function currentFolder(): string {
  try {
    return process.cwd()
  } catch {
    return '/'
  }
}

/** What serves is loaded by the commands that need it: a merge driver starts anew for each file. */
const open: typeof openRuntime = async (config, options) =>
  (await import('./runtime.js')).openRuntime(config, options)

const readMenus: ReadMenus = async (config, onProgress) => {
  const { runtime, problems } = await open(config, { watch: false, log: SILENT_LOG, onProgress })
  if (runtime === null) return { snapshot: null, problems }
  const snapshot = runtime.store.current
  await runtime.close()
  return { snapshot, problems: [] }
}

const openServed: OpenServed = async (config, log, onProgress) => {
  const { runtime, problems } = await open(config, { watch: true, log, onProgress })
  if (runtime === null) return { served: null, problems }
  const token = process.env['MENUSCRIPT_ADMIN_TOKEN'] ?? null
  const { createServerOf } = await import('./runtime.js')
  const server = createServerOf(runtime, packageJson.version, token)
  const { host, port } = config.options.server
  const close = async (): Promise<void> => {
    await server.close()
    await runtime.close()
  }
  return {
    served: {
      current: () => runtime.store.current,
      reload: () => runtime.store.refresh(),
      listen: () => server.listen(port, host),
      close,
    },
    problems,
  }
}

/** Why a hook failed is part of the explanation; what is wrong with files is for `lint`. */
const hookLog: Log = {
  ...SILENT_LOG,
  error: (event, { hook, reason } = {}) => {
    if (event === 'hook_failed') context.terminal.err(`note: the hook ${hook} failed: ${reason}`)
  },
}

const explainRequest: ExplainRequest = async (config, request, query, snapshotOf) => {
  const { openService } = await import('./runtime.js')
  const { service, close, problems } = await openService(config, hookLog, snapshotOf)
  if (service === null) return { explanation: null, problems }
  try {
    await service.prepare(request)
    return { explanation: service.explain(request, query), problems: [] }
  } finally {
    await close()
  }
}

const programFile = fileURLToPath(import.meta.url)

/** Ends the process once all is written, whatever a module of the deployment still waits for. */
async function leave(): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    await new Promise<void>((resolve) => stream.write('', () => resolve()))
  }
  process.exit()
}

/** A bug is told and ends the process: what it left behind cannot be trusted. */
function dieOf(thrown: unknown): void {
  const reason = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
  context.terminal.err(
    `an error that nobody caught, a bug of menuscript or of its policies module:\n${reason}`,
  )
  process.exit(EXIT.bug)
}

process.on('uncaughtException', dieOf)
process.on('unhandledRejection', dieOf)

try {
  await createProgram(context, {
    openServed,
    readMenus,
    explainRequest,
    programFile,
  }).parseAsync()
} catch (thrown) {
  if (thrown instanceof CommanderError) process.exitCode = thrown.exitCode === 0 ? EXIT.fine : EXIT.usage
  else if (thrown instanceof GitError) {
    context.terminal.err(`error: ${thrown.message}`)
    process.exitCode = EXIT.configuration
  } else dieOf(thrown)
}
await leave()
