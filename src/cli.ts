#!/usr/bin/env node
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import packageJson from '../package.json' with { type: 'json' }
import type { CommandContext } from './cli/command.js'
import { printConfig } from './cli/config.js'
import { EXIT } from './cli/exit-codes.js'
import { type ExplainRequest, explain } from './cli/explain.js'
import { lint, type ReadMenus } from './cli/lint.js'
import { LINT_FORMATS, type LintFormat } from './cli/lint-report.js'
import { newMenu, type ParseText } from './cli/new.js'
import { type OpenServed, serve } from './cli/serve.js'
import { createTerminal } from './cli/terminal.js'
import { parseMenuFile } from './document/parse.js'
import { createServerOf, openRuntime, toReadOptions } from './runtime.js'
import { type Log, SILENT_LOG } from './service/log.js'
import { toSettings } from './service/settings.js'
import { contentHash } from './store/hash.js'

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

const readMenus: ReadMenus = async (config, onProgress) => {
  const { runtime, problems } = await openRuntime(config, { watch: false, log: SILENT_LOG, onProgress })
  if (runtime === null) return { snapshot: null, problems }
  const snapshot = runtime.store.current
  await runtime.close()
  return { snapshot, problems: [] }
}

const openServed: OpenServed = async (config, log, onProgress) => {
  const { runtime, problems } = await openRuntime(config, { watch: true, log, onProgress })
  if (runtime === null) return { served: null, problems }
  const token = process.env['MENUSCRIPT_ADMIN_TOKEN'] ?? null
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

const parseText: ParseText = ({ options }, path, text) =>
  parseMenuFile(path, new TextEncoder().encode(text), {
    ...toReadOptions(toSettings(options), true),
    hash: contentHash,
  })

/** Why a hook failed is part of the explanation; what is wrong with files is for `lint`. */
const hookLog: Log = {
  ...SILENT_LOG,
  error: (event, { hook, reason } = {}) => {
    if (event === 'hook_failed') context.terminal.err(`note: the hook ${hook} failed: ${reason}`)
  },
}

const explainRequest: ExplainRequest = async (config, request, query) => {
  const { runtime, problems } = await openRuntime(config, { watch: false, log: hookLog })
  if (runtime === null) return { explanation: null, problems }
  try {
    await runtime.service.prepare(request)
    return { explanation: runtime.service.explain(request, query), problems: [] }
  } finally {
    await runtime.close()
  }
}

/** Every command with its options; each sets the exit code. */
function createProgram(): Command {
  const program = new Command('menuscript')
    .description(
      'Navigation menus as reviewed text: YAML files in, the right menu for a context, a language and a viewer out.',
    )
    .version(context.version)
    .showHelpAfterError('(--help shows what there is)')
    .exitOverride()
    .addHelpText('after', '\nExit codes: 0 fine, 1 findings, 2 usage, 3 files or configuration, 70 a bug.')
  const withConfig = (name: string): Command =>
    program.command(name).option('--config <file>', 'the configuration file, instead of menuscript.config.*')

  withConfig('serve')
    .description('serve the menus over HTTP and follow their changes')
    .option('--host <address>', 'the address to listen on (default: 127.0.0.1)')
    .option('--port <number>', 'the port to listen on; 0 picks a free one (default: 4400)', parsePort)
    .option('--strict', 'do not start while a file has an error', false)
    .option('--json', 'tell as JSON where it listens, and log as JSON on a terminal, too', false)
    .action(async (flags) => exitWith(await serve(context, flags, openServed)))

  withConfig('lint')
    .description('judge menu files as the service would, all problems at once')
    .argument('[paths...]', 'tell only of these files and folders')
    .addOption(new Option('--format <form>', 'how to tell').choices(LINT_FORMATS).default('text'))
    .option('--json', 'the same as --format json', false)
    .option('--max-warnings <number>', 'how many warnings are no finding (default: any number)', parseCount)
    .action(async (paths: string[], { json, format, maxWarnings = null, ...flags }) => {
      const form: LintFormat = json ? 'json' : format
      exitWith(await lint(context, { ...flags, format: form, maxWarnings }, paths, readMenus))
    })

  withConfig('explain')
    .description('say why a request gets what it gets: which menu, which items, which texts')
    .argument('<code>', 'the code of the menu')
    .option('--locale <tag>', 'the language that is asked for')
    .option('--context-sets <json>', 'the contexts that the request would take, the best first')
    .option(
      '--permissions <keys>',
      "the viewer's permissions, separated by commas, in place of resolveViewer",
    )
    .option('--header <line>', "a request header, 'Name: value', for the hooks; may be repeated", collect)
    .option('--url <path>', 'the address of the page, for the hooks (default: /)')
    .option('--params <json>', 'route parameters of the page, which templates lend to items')
    .option('--json', 'as JSON', false)
    .action(async (code: string, flags) => exitWith(await explain(context, flags, code, explainRequest)))

  withConfig('new')
    .description('write the file of a new menu, or of a new variant of one')
    .argument('<code>', 'the code of the menu')
    .option('--name <text>', 'a name for the people who edit it (default: from the code)')
    .option('--context <json>', 'for whom the variant is')
    .option(
      '--file <path>',
      'where to write it, in the menus folder (default: CODE.yaml, CODE.KEY-VALUE.yaml)',
    )
    .option('--json', 'tell the file as JSON', false)
    .action(async (code: string, flags) =>
      exitWith(await newMenu(context, flags, code, readMenus, parseText)),
    )

  withConfig('config')
    .description('print every option with its value and where it came from')
    .option('--json', 'as JSON', false)
    .action(async (flags) => exitWith(await printConfig(context, flags)))

  return program
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}

function parsePort(text: string): string {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new InvalidArgumentError('It must be a number from 0 to 65535.')
  }
  return text
}

function parseCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, 0 or more.')
  return Number(text)
}

function exitWith(code: number): void {
  process.exitCode = code
}

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
  await createProgram().parseAsync()
} catch (thrown) {
  if (!(thrown instanceof CommanderError)) dieOf(thrown)
  else exitWith(thrown.exitCode === 0 ? EXIT.fine : EXIT.usage)
}
await leave()
