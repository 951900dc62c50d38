import { relative, resolve } from 'node:path'
import { answerOf } from '../review/answer.js'
import { toPlainJson } from '../review/plain-json.js'
import { toShellWord } from '../review/shell-word.js'
import { toSlashes } from '../review/site.js'
import { toReason } from '../service/log.js'
import {
  hasRules,
  readAttributes,
  toRules,
  withoutRules,
  withRules,
  writeAttributes,
} from '../store/git/attributes.js'
import { openRepository, type Repository, toTreePath } from '../store/git/repository.js'
import { DRIVER, DRIVER_FILES, nameConfig, setDriver } from '../store/git/settings.js'
import { type CommandContext, CommandEnd, type Flags, fail, need, needConfig } from './command.js'
import { EXIT } from './exit-codes.js'

type GitSetupFlags = Flags<'remove' | 'check' | 'json'>

/**
 * `menuscript git setup`: makes git merge the files of the menus folder with `menuscript merge-driver`. The attributes
 * are a file of the repository and thus for all; the command is a setting of this clone, as git demands it.
 */
export async function gitSetup(context: CommandContext, flags: GitSetupFlags): Promise<number> {
  const { folder, programFile } = context
  const config = await needConfig(context, flags)
  const repository = need(context, answerOf(await openRepository(folder), 'unusable'))
  const menus = toTreePath(repository, config.menusFolder)
  if (menus === null) {
    const what = `${config.menusFolder} is not in ${repository.root}`
    return fail(context, EXIT.configuration, `${what}. Run this in the repository of the menus.`)
  }
  if (flags.check && flags.remove)
    fail(context, EXIT.usage, '--check changes nothing, and --remove does: give one of them')
  const rules = toRules(menus, config.options.storage.file_prefix)
  try {
    const attributes = readAttributes(repository.root)
    if (attributes.fault !== null)
      fail(context, EXIT.configuration, `${attributes.fault.what}. ${attributes.fault.todo}`)
    const { text: before } = attributes
    const after = flags.remove ? withoutRules(before, rules) : withRules(before, rules)
    // Other sites of the repository go on merging.
    const command = flags.remove && !hasRules(after) ? null : toCommand(programFile, '')
    const setting = command === null ? null : { command, ancestor: toCommand(programFile, '--ancestor ') }
    if (flags.check) {
      const isOtherwise = await setDriver(repository, setting, true)
      const missing = [after !== before && '.gitattributes', isOtherwise && `${DRIVER}.driver`]
      return check(
        context,
        flags.json,
        missing.filter((each) => each !== false),
      )
    }
    if (after !== before) writeAttributes(attributes, after)
    const isNamed = await nameConfig(repository, menus, toConfigPath(repository, flags, folder))
    const isSet = (await setDriver(repository, setting, false)) || isNamed
    const done = { file: attributes.path, rules, command, isSet, isWritten: after !== before }
    printDone(context, flags, done)
    return EXIT.fine
  } catch (thrown) {
    if (thrown instanceof CommandEnd) throw thrown
    return fail(context, EXIT.configuration, `${toReason(thrown)}. Check who may write the files.`)
  }
}

/** A configuration that was named, from the top of the work tree, where the driver runs; others it finds itself. */
function toConfigPath(
  { root }: Repository,
  { config, remove }: GitSetupFlags,
  folder: string,
): string | null {
  return config === undefined || remove ? null : toSlashes(relative(root, resolve(folder, config)))
}

/**
 * What git runs, through a shell. The paths are absolute: they are good in every work tree of the clone, and starting
 * node itself takes a fraction of what `npx` takes. If the program is missing or fails, git merges by itself:
 * otherwise our version would lie there as if it were merged.
 */
function toCommand(program: string, mode: string): string {
  const [node, file] = [process.execPath, program].map((path) =>
    toShellWord(toSlashes(path)).replaceAll('%', '%%'),
  )
  const own = `"$n" "$f" merge-driver ${mode}--marker-size %L ${DRIVER_FILES}; s=$?; test $s -le 1 && exit $s`
  const gone = `echo 'menuscript: the merge driver is gone or failed, git merged the lines; menuscript git setup repairs it' >&2`
  const lines = 'git merge-file --marker-size=%L -L ours -L base -L theirs -- %A %O %B'
  return `n=${node}; f=${file}; test -x "$n" || n=node; if test -f "$f" && command -v "$n" >/dev/null; then ${own}; fi; ${gone}; ${lines}`
}

/** Prints what `git setup` would change. */
function check({ terminal }: CommandContext, isJson: boolean, missing: readonly string[]): number {
  const isFine = missing.length === 0
  if (isJson) terminal.out(toPlainJson({ version: 1, setUp: isFine, missing }))
  else if (isFine) terminal.out('set up')
  else terminal.out(`not set up: ${missing.join(' and ')}, missing or old; menuscript git setup repairs it`)
  return isFine ? EXIT.fine : EXIT.findings
}

interface Done {
  readonly file: string
  readonly rules: readonly string[]
  readonly command: string | null
  readonly isSet: boolean
  readonly isWritten: boolean
}

function printDone(
  { terminal, folder }: CommandContext,
  { json, remove }: GitSetupFlags,
  { file, rules, command, isSet, isWritten }: Done,
): void {
  const seen = toSlashes(relative(folder, file))
  if (json) {
    const changed = { attributes: isWritten, driver: isSet }
    const result = { version: 1, file: seen, rules: remove ? [] : rules, driver: command, changed }
    terminal.out(toPlainJson(result))
    return
  }
  const place = `${remove ? 'is taken out of' : 'is in'} ${seen}${isWritten ? '' : ', as before'}`
  terminal.out(`${rules.join('\n')}\n  ${place}`)
  const state = command === null ? 'is not set' : remove ? 'stays set, for other menus,' : 'is set'
  const before = isSet || (remove && command !== null) ? '' : ', as before'
  terminal.out(`${DRIVER}.driver\n  ${state} in this clone${before}`)
}
