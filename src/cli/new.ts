import { existsSync, statSync } from 'node:fs'
import { isAbsolute, relative, resolve } from 'node:path'
import { toVisible } from '../document/source.js'
import { describeContext } from '../model/context.js'
import { toPlainJson } from '../model/plain-json.js'
import { type Problem, toAdvice } from '../model/problem.js'
import { done, failed, type Result } from '../model/result.js'
import { type NewMenuFault, type NewMenuRequest, planNewMenu } from '../review/new-menu.js'
import { menusFolderOf } from '../review/reading.js'
import { refuse } from '../review/refusal.js'
import { toShellWord } from '../review/shell-word.js'
import { type Site, toSeen, toSlashes } from '../review/site.js'
import { toReason } from '../service/log.js'
import { judgeMenuPath } from '../store/menu-paths.js'
import { judgeNewNames, writeSchema } from '../store/publish/new-file.js'
import { writeFile } from '../store/publish/write-file.js'
import { type CommandContext, type Flags, needMenus, note } from './command.js'
import { readContext } from './flag-values.js'
import { readMenus } from './read-menus.js'

type NewFlags = Flags<'empty' | 'json', 'name' | 'context' | 'file'>

/** `menuscript new`: writes the file of a new menu, or of a new variant, where there is none yet. */
export async function newMenu(context: CommandContext, flags: NewFlags, code: string): Promise<undefined> {
  const { terminal } = context
  const site = await needMenus(context, flags, 'write')
  const menuContext = readContext(flags.context ?? '')
  needFolder(site)
  const snapshot = await readMenus(context, site)
  const seen = (path: string): string => toSeen(site, path)
  const taken = snapshot.files.map((file) => file.path)
  const named = flags.file === undefined ? done(null) : toPath(flags.file, site, taken)
  const path = named.fault === null ? named.value : refuse('usage', named.fault)
  const wanted = { code, context: menuContext, name: flags.name ?? null, path, isEmpty: flags.empty }
  const request = { ...wanted, copiesSchema: true }
  const { value: plan, fault } = planNewMenu(site, snapshot, request)
  if (fault !== null) return refuseMenu(fault, request, seen)
  const file = seen(plan.path)
  try {
    writeFile(site.menusFolder, plan.path, null, plan.text)
    if (plan.schema.copy !== null) {
      writeSchema(site.menusFolder)
      note(context, `${seen(plan.schema.copy)} is the schema, for editors`)
    }
    if (plan.copied !== null) note(context, `it starts as a copy of ${seen(plan.copied)}`)
  } catch (thrown) {
    refuse('configuration', `${file} cannot be written: ${toReason(thrown)}`)
  }
  const json = { version: 1, file, code, context: menuContext }
  terminal.out(flags.json ? toPlainJson(json) : toVisible(file))
}

/** Throws where something else is in the place of the menus folder. */
export function needFolder({ menusFolder }: Site): void {
  if (statSync(menusFolder, { throwIfNoEntry: false })?.isDirectory() === false)
    refuse('configuration', `${menusFolder} should be the menus folder, and is not a folder`)
}

/** Says why a menu cannot be made. */
function refuseMenu(
  fault: NewMenuFault,
  { code, context }: NewMenuRequest,
  seen: (path: string) => string,
): never {
  if (fault.reason === 'invalid') {
    const { problem } = fault
    refuse('usage', `${toSubject(problem)}${problem.what} ${toAdvice(problem)}`)
  }
  if (fault.reason === 'uncopyable')
    refuse('usage', `${seen(fault.path)} cannot be copied; copy it by hand, or pass --empty`)
  const what = `${seen(fault.path)} is the menu ${code} with ${describeContext(context)}`
  return refuse('findings', `${what}; edit it, or pass another --context`)
}

/** The path from the menus folder of a file that was named; `taken` are those of other menus. */
function toPath(named: string, site: Site, taken: readonly string[]): Result<string, string> {
  const { folder, menusFolder } = site
  const path = toSlashes(relative(menusFolder, resolve(folder, named)))
  const seen = (file: string): string => toSeen(site, file)
  if (path.startsWith('../') || path === '..' || isAbsolute(path)) {
    // An absolute path stays one, and is not in the folder either.
    const meant = seen(/\.ya?ml$/.test(named) ? named : `${named.replace(/\.\w+$/, '')}.yaml`)
    const isMeant = !relative(menusFolder, resolve(folder, meant)).startsWith('..')
    const inside = isMeant ? toPath(meant, site, taken).value : null
    const todo = inside === null ? '' : `; write --file ${toShellWord(seen(inside))}`
    const what = `${named} is not in the menus folder, ${menusFolder}`
    return failed(`${what}: paths are relative to the current folder${todo}`)
  }
  const other = taken.find((each) => each.toLowerCase() === path.toLowerCase())
  if (other !== undefined || existsSync(resolve(menusFolder, path))) {
    const as = other === undefined || other === path ? '' : `, as ${seen(other)}`
    return failed(`${named} already exists${as}`)
  }
  const unread = judgeMenuPath(menusFolderOf(site), path) ?? judgeNewNames(path)
  return unread === null ? done(path) : failed(`${named} would not be read: ${unread}`)
}

/** The words of the command line that a problem of the text is about. */
function toSubject({ pointer }: Problem): string {
  if (pointer === '/code') return 'the code: '
  if (pointer === '/name') return '--name: '
  return pointer.startsWith('/context') ? '--context: ' : ''
}
