import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { Command, CommanderError, Option } from 'commander'
import { ConfigurationError } from '../config/errors.js'
import { TRANSLATION_FORMATS } from '../document/exchange/translation-rows.js'
import { DIFF_FORMATS, FAIL_ON } from '../review/diff/report.js'
import { LINT_FORMATS } from '../review/lint/top-folder.js'
import { Refusal } from '../review/refusal.js'
import { SITES } from '../review/starter.js'
import { GitError } from '../store/git/process.js'
import type { CommandContext, Run } from './command.js'
import { addHelp, unknownCommand } from './command-names.js'
import { type Ending, EXIT } from './exit-codes.js'
import { parseCode, parseCount, parsePort } from './flag-parsers.js'
import { addSetupCommands } from './setup-commands.js'

/** Runs a command line, without the program at its start; returns the exit code. What it throws is a bug. */
export async function runProgram(context: CommandContext, words: readonly string[]): Promise<number> {
  let ending: Ending = 'fine'
  const run: Run =
    (load) =>
    async (...given) => {
      const command = await load()
      const [flags, ...rest] = [given.at(-2), ...given.slice(0, -2)] as never[]
      ending = (await command(context, flags as never, ...rest)) ?? 'fine'
    }
  try {
    await createProgram(context, words, run).parseAsync(words, { from: 'user' })
    return EXIT[ending]
  } catch (thrown) {
    context.terminal.progress(null)
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? EXIT.fine : EXIT.usage
    const isRefusal = thrown instanceof Refusal
    const isConfiguration = thrown instanceof ConfigurationError
    if (!isRefusal && !isConfiguration && !(thrown instanceof GitError)) throw thrown
    const { reportProblems } = await import('./command.js')
    if (isRefusal || isConfiguration) reportProblems(context.terminal, thrown.problems)
    if (!isConfiguration) context.terminal.err(`error: ${thrown.message}`)
    return EXIT[isRefusal ? thrown.reason : 'configuration']
  }
}

/** Every command with its options. */
function createProgram(context: CommandContext, words: readonly string[], run: Run): Command {
  const program = new Command('menuscript')
    .description(
      'Self-hosted navigation menus: YAML files, edited in git or in the browser, served for each context, language and viewer.',
    )
    .version(context.version)
    // The options of a command are its own: a file of the name -V.yaml asks for no version.
    .enablePositionalOptions()
    .showHelpAfterError('(--help lists commands and options)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.terminal.out(text.replace(/\n$/, '')),
      writeErr: (text) => context.terminal.err(text.replace(/\n$/, '')),
    })
    .addHelpText('after', '\nExit codes: 0 success, 1 findings, 2 usage, 3 files or configuration, 70 a bug.')
  const addConfig = (command: Command): Command =>
    command.option('--config <file>', 'the configuration file, instead of menuscript.config.*')
  const addMenus = (command: Command): Command =>
    addConfig(command).option('--menus <dir>', 'the menus folder, instead of the configured one')
  const withConfig = (name: string): Command => addMenus(program.command(name))
  /** A command on one menu, as of `now` or another moment. */
  const withMenu = (name: string, description: string, now: string, variants: string): Command =>
    withConfig(name)
      .description(description)
      .argument('<code>', 'the code of the menu')
      .option('--at <revision>', `as of a commit, a branch or a tag (default: ${now})`)
      .option('--context <json>', `${variants} with this context`)
      .option('--file <path>', `${variants} in this file`)
      .option('--json', 'as JSON', false)

  const addFormats = (command: Command, formats: readonly string[]): Command =>
    command
      .addOption(new Option('--format <form>', 'the format of the report').choices(formats).default('text'))
      .option('--json', 'the same as --format json', false)

  withConfig('serve')
    .description('serve the menus over HTTP, and reload them when they change')
    .option('--host <address>', 'the address to listen on (default: 127.0.0.1)')
    .option('--port <number>', 'the port to listen on; 0 picks a free one (default: 4400)', parsePort)
    .option('--strict', 'refuse to start while a file has an error', false)
    .option('--static <dir>', 'the folder of a site to serve next to the menus (default: none)')
    .option('--json', 'print the address as JSON, and write the log as JSON even on a terminal', false)
    .action(run(async () => (await import('./serve.js')).serve))

  const lint = withConfig('lint')
    .description('check menu files as the service would, and report all problems at once')
    .argument('[paths...]', 'report only these files and folders')
  addFormats(lint, Object.keys(LINT_FORMATS))
    .option('--changed <base>', 'report only files that differ from the merge base of this revision and HEAD')
    .option('--fix', 'fix problems without changing what is served, then report the rest', false)
    .option('--dry-run', 'with --fix: show the diff and write nothing', false)
    .option(
      '--max-warnings <number>',
      'fail if there are more warnings than this (default: never)',
      parseCount,
    )
    .hook('preAction', (_, command) => refuseFileAsOption(context, words, command))
    .action(run(async () => (await import('./lint.js')).lint))

  withConfig('build')
    .description('write all menus as static files, as anonymous viewers get them')
    .requiredOption('--out <dir>', 'the folder to write to')
    .option('--html', 'write each menu as HTML, too', false)
    .option('--check', 'write nothing; exit code 1 if the files are out of date', false)
    .option('--json', 'print the result as JSON', false)
    .action(run(async () => (await import('./build.js')).build))

  withConfig('list')
    .description('print every menu with its code, context, file, items and problems')
    .option('--json', 'as JSON', false)
    .action(run(async () => (await import('./list.js')).list))

  withConfig('explain')
    .description('explain which menu a request gets, and why each item is shown or hidden')
    .argument('<code>', 'the code of the menu')
    .option('--locale <tag>', 'the requested language')
    .option('--context-sets <json>', 'the contexts that the request accepts, in order of preference')
    .option('--permissions <keys>', "the viewer's permissions, separated by commas, instead of resolveViewer")
    .option('--header <line>', "a request header for the hooks, 'Name: value'; repeatable", collect)
    .option('--url <path>', 'the address of the page, for the hooks (default: /)')
    .option('--params <json>', 'route parameters of the page, for items that lack them')
    .option('--at <revision>', 'use the menus of a commit, a branch or a tag')
    .option('--now <time>', 'the time of the request, such as 2026-12-01T00:00:00+01:00 (default: now)')
    .option('--json', 'as JSON', false)
    .action(run(async () => (await import('./explain.js')).explain))

  const diff = withConfig('diff')
    .description('report what a change does to menus and items, and who sees more')
    .argument(
      '[range]',
      'BASE compares its merge base with the work tree, BASE..HEAD the two revisions, BASE...HEAD their merge base with HEAD (default: HEAD and the work tree)',
    )
  addFormats(diff, DIFF_FORMATS)
    .option('--code <code>', 'only the menus with this code', parseCode)
    .option('--locale <tag>', 'the language of labels and trees (default: default_locale)')
    .option('--permissions <keys>', 'show the trees to a viewer with these permissions, separated by commas')
    .option('--output <file>', 'the file to write, instead of standard output')
    .addOption(new Option('--fail-on <what>', 'what causes exit code 1 (default: nothing)').choices(FAIL_ON))
    .action(run(async () => (await import('./diff.js')).diff))

  withMenu('log', 'print the commits that changed a menu, and what each did', 'HEAD', 'only the variant')
    .option('--limit <number>', 'print at most this many commits', parseCount, 20)
    .option('--since <time>', "only commits since then, such as 2026-03-01 or '2 weeks ago'")
    .action(run(async () => (await import('./menu-history.js')).log))

  const blame = 'print who last changed each item of a menu, and when, field by field'
  withMenu('blame', blame, 'the work tree', 'the variant')
    .option('--fields', 'print each field with its commit, not only the last commit of each author', false)
    .action(run(async () => (await import('./menu-history.js')).blame))

  withMenu('show', 'print the file of a menu, now or in a commit', 'the work tree', 'the variant').action(
    run(async () => (await import('./menu-history.js')).show),
  )

  withConfig('new')
    .description('create the file of a new menu, or of a new variant')
    .argument('<code>', 'the code of the menu')
    .option('--name <text>', 'a name for the people who edit it (default: from the code)')
    .option(
      '--context <json>',
      'the context of the variant, which starts as a copy of the menu without context',
    )
    .option('--empty', 'create the menu without items', false)
    .option(
      '--file <path>',
      'the file to write: a path relative to the current folder, inside the menus folder (default: CODE.yaml, CODE.KEY-VALUE.yaml)',
    )
    .option('--json', 'print the file as JSON', false)
    .action(run(async () => (await import('./new.js')).newMenu))

  withConfig('init')
    .description('write a first menu, a configuration, a CI job and a pre-commit hook; overwrite nothing')
    .addOption(
      new Option('--site <kind>', 'what renders the menus (default: from package.json)').choices(
        Object.keys(SITES),
      ),
    )
    .option('--json', 'print the files as JSON, and ask nothing', false)
    .action(run(async () => (await import('./init.js')).init))

  const translations = program
    .command('translations')
    .description('export the texts of menus for translators, and import them again')
  addMenus(translations.command('export'))
    .description('write the texts of menus as CSV or XLIFF')
    .argument('[files...]', 'only these menu files')
    .addOption(new Option('--format <form>', 'the format').choices(TRANSLATION_FORMATS).default('csv'))
    .option(
      '--locale <tag>',
      'only this locale; may be repeated, but XLIFF has one (default: all locales)',
      collect,
    )
    .option('--output <file>', 'the file to write, instead of standard output')
    .action(run(async () => (await import('./translations.js')).exportTranslations))
  addMenus(translations.command('import'))
    .description('write the texts of a CSV or XLIFF file into the menus, all of them or none')
    .argument('<path>', 'the file, as it was exported and translated')
    .option('--dry-run', 'show the diff and write nothing', false)
    .option('--outdated', 'import texts even if the source text has changed since the export', false)
    .option('--json', 'as JSON', false)
    .action(run(async () => (await import('./translations.js')).importTranslations))

  withConfig('types')
    .description(
      'print the names in your menus and configuration as TypeScript types: codes, contexts, locales, routes, permissions',
    )
    .option('--out <file>', 'the file to write if it is out of date, instead of standard output')
    .option('--check', 'with --out: write nothing; exit code 1 if the file is out of date', false)
    .action(run(async () => (await import('./types.js')).types))

  withConfig('config')
    .description('print every option with its value and where it came from')
    .option('--json', 'as JSON', false)
    .action(run(async () => (await import('./config.js')).printConfig))

  addSetupCommands(program, { addConfig, addMenus, run })
  addHelp(program)
  program.on('command:*', ([word = '']: string[]) => program.error(unknownCommand(program, word)))
  return program
}

/** A pattern of the shell gives the names of files: none of them may decide what is judged. */
function refuseFileAsOption({ folder }: CommandContext, words: readonly string[], command: Command): void {
  const end = words.indexOf('--')
  const values = Object.values(command.opts())
  const named = words
    .slice(0, end === -1 ? words.length : end)
    .find((word) => /^-./.test(word) && !values.includes(word) && existsSync(resolve(folder, word)))
  if (named === undefined) return
  const what = `${JSON.stringify(named)} is an option and a file in this folder`
  command.error(`error: ${what}. Put file names after --, or rename the file.`)
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}
