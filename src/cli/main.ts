import packageJson from '../../package.json' with { type: 'json' }
import type { CommandContext } from './command.js'
import { EXIT } from './exit-codes.js'
import { runProgram } from './program.js'
import { createTerminal } from './terminal.js'

/** Runs the command line of this process to its end; `programFile` is the file that a shell or git calls. */
export async function main(programFile: string): Promise<never> {
  const context: CommandContext = {
    terminal: createTerminal(process.stdout, process.stderr),
    folder: currentFolder(),
    environment: process.env,
    version: packageJson.version,
    programFile,
  }
  /** A bug is reported and ends the process: what it left behind cannot be trusted. */
  const dieOf = (thrown: unknown): never => {
    const reason = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
    context.terminal.err(`uncaught error, a bug in menuscript or in its policies module:\n${reason}`)
    process.exit(EXIT.bug)
  }
  process.on('uncaughtException', dieOf)
  process.on('unhandledRejection', dieOf)
  process.exitCode = await runProgram(context, process.argv.slice(2)).catch(dieOf)
  return leave()
}

/** The working folder; the root if that is gone, so that help and clear messages still appear. */
function currentFolder(): string {
  try {
    return process.cwd()
  } catch {
    return '/'
  }
}

/** Ends the process once all is written, even if a module of the deployment still waits for something. */
async function leave(): Promise<never> {
  for (const stream of [process.stdout, process.stderr]) {
    await new Promise<void>((resolve) => stream.write('', () => resolve()))
  }
  process.exit()
}
