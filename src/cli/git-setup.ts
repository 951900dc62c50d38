import { relative, resolve } from 'node:path'
import { toPlainJson } from '../model/plain-json.js'
import { fromGit, Refusal, refuse } from '../review/refusal.js'
import { toShellWord } from '../review/shell-word.js'
import { type Site, toSeen, toSlashes } from '../review/site.js'
import { toReason } from '../service/log.js'
import {
  hasRules,
  readAttributes,
  toRules,
  withoutRules,
  withRules,
  writeAttributes,
} from '../store/git/attributes.js'
import { DRIVER, DRIVER_FILES, nameConfig, setDriver } from '../store/git/driver-settings.js'
import { openRepository, type Repository, toTreePath } from '../store/git/repository.js'
import { type CommandContext, type Flags, needMenus } from './command.js'
import type { Ending } from './exit-codes.js'

type GitSetupFlags = Flags<'remove' | 'check' | 'json'>

/**
 * `menuscript git setup`: makes git merge the files of the menus folder with `menuscript merge-driver`. The attributes
 * are a file of the repository and thus for all; the command is a setting of this clone, as git demands it.
 */
export async function gitSetup(context: CommandContext, flags: GitSetupFlags): Promise<Ending> {
  const site = await needMenus(context, flags, 'write')
  const repository = fromGit(await openRepository(site.folder), 'configuration')
  const menus = toTreePath(repository, site.menusFolder)
  if (menus === null) {
    const what = `${site.menusFolder} is not in ${repository.root}`
    return refuse('configuration', `${what}. Run this in the repository of the menus.`)
  }
  if (flags.check && flags.remove)
    refuse('usage', '--check changes nothing and --remove does; pass only one of them')
  try {
    return await setUp(context, flags, site, repository, menus)
  } catch (thrown) {
    if (thrown instanceof Refusal) throw thrown
    return refuse('configuration', `${toReason(thrown)}. Check the permissions of the files.`)
  }
}

async function setUp(
  context: CommandContext,
  flags: GitSetupFlags,
  site: Site,
  repository: Repository,
  menus: string,
): Promise<Ending> {
  const { terminal, programFile } = context
  const { remove, json } = flags
  const attributes = readAttributes(repository.root)
  const { path, text: before, fault } = attributes
  if (fault !== null) refuse('configuration', `${fault.what}. ${fault.todo}`)
  const rules = toRules(menus, site.options.storage.file_prefix)
  const after = remove ? withoutRules(before, rules) : withRules(before, rules)
  const isWritten = after !== before
  // Other sites of the repository go on merging.
  const command = remove && !hasRules(after) ? null : toCommand(programFile, '')
  const setting = command === null ? null : { command, ancestor: toCommand(programFile, '--ancestor ') }
  if (flags.check) {
    const isOtherwise = await setDriver(repository, setting, true)
    const missing = [...(isWritten ? ['.gitattributes'] : []), ...(isOtherwise ? [`${DRIVER}.driver`] : [])]
    const isFine = missing.length === 0
    const words = `not set up: ${missing.join(' and ')} missing or outdated; run menuscript git setup`
    if (json) terminal.out(toPlainJson({ version: 1, setUp: isFine, missing }))
    else terminal.out(isFine ? 'set up' : words)
    return isFine ? 'fine' : 'findings'
  }
  if (isWritten) writeAttributes(attributes, after)
  // A configuration that was named, from where the driver runs; others it finds itself.
  const named =
    remove || flags.config === undefined
      ? null
      : relative(repository.root, resolve(site.folder, flags.config))
  const isNamed = await nameConfig(repository, menus, named && toSlashes(named))
  const isSet = (await setDriver(repository, setting, false)) || isNamed
  const file = toSeen(site, path)
  if (json) {
    const changed = { attributes: isWritten, driver: isSet }
    const result = { version: 1, file, rules: remove ? [] : rules, driver: command, changed }
    terminal.out(toPlainJson(result))
    return 'fine'
  }
  const place = `${remove ? 'are removed from' : 'are in'} ${file}${isWritten ? '' : ', unchanged'}`
  const state = command === null ? 'is not set' : remove ? 'stays set for other menus' : 'is set'
  const isKept = !isSet && !(remove && command !== null)
  terminal.out(`${rules.join('\n')}\n  ${place}`)
  terminal.out(`${DRIVER}.driver\n  ${state} in this clone${isKept ? ', unchanged' : ''}`)
  return 'fine'
}

/**
 * What git runs, through a shell. The paths are absolute: they are good in every work tree of the clone, and starting
 * node itself takes a fraction of what `npx` takes. If the program is missing or fails, git merges the lines:
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
