import { existsSync, statSync } from 'node:fs'
import { isAbsolute, relative, resolve } from 'node:path'
import { toVisible } from '../document/source.js'
import { describeContext } from '../model/context.js'
import { toPlainJson } from '../model/plain-json.js'
import { type Problem, toAdvice } from '../model/problem.js'
import { done } from '../model/result.js'
import { type Answer, refuse } from '../review/answer.js'
import { type NewMenuFault, type NewMenuRequest, planNewMenu } from '../review/new-menu.js'
import { menusFolderOf } from '../review/reading.js'
import { toShellWord } from '../review/shell-word.js'
import { type Site, toSeen, toSlashes } from '../review/site.js'
import { toReason } from '../service/log.js'
import { judgeMenuPath } from '../store/menu-paths.js'
import { judgeNewNames, writeSchema } from '../store/publish/new-file.js'
import { writeFile } from '../store/publish/write-file.js'
import { type CommandContext, type Flags, fail, need, needConfig, note } from './command.js'
import { EXIT } from './exit-codes.js'
import { readContext } from './flag-values.js'
import { readMenus } from './read-menus.js'

type NewFlags = Flags<'empty' | 'json', 'name' | 'context' | 'file'>

/** `menuscript new`: writes the file of a new menu, or of a new variant, where there is none yet. */
export async function newMenu(context: CommandContext, flags: NewFlags, code: string): Promise<number> {
  const { terminal } = context
  const site = await needConfig(context, flags)
  const menuContext = need(context, readContext(flags.context ?? ''))
  if (statSync(site.menusFolder, { throwIfNoEntry: false })?.isDirectory() === false) {
    const what = `${site.menusFolder} should be the menus folder, and is not a folder`
    fail(context, EXIT.configuration, what)
  }
  const snapshot = await readMenus(context, site)
  const seen = (path: string): string => toSeen(site, path)
  const taken = snapshot.files.map((file) => file.path)
  const path = flags.file === undefined ? null : need(context, toPath(flags.file, site, taken))
  const wanted = { code, context: menuContext, name: flags.name ?? null, path, isEmpty: flags.empty }
  const request = { ...wanted, copiesSchema: true }
  const { value: plan, fault } = planNewMenu(site, snapshot, request)
  if (fault !== null) return fail(context, ...toRefusal(fault, request, seen))
  const file = seen(plan.path)
  try {
    writeFile(site.menusFolder, plan.path, null, plan.text)
    if (plan.schema.copy !== null) {
      writeSchema(site.menusFolder)
      note(context, `${seen(plan.schema.copy)} is the schema, for editors`)
    }
    if (plan.copied !== null) note(context, `it starts as a copy of ${seen(plan.copied)}`)
  } catch (thrown) {
    fail(context, EXIT.configuration, `${file} cannot be written: ${toReason(thrown)}`)
  }
  const json = { version: 1, file, code, context: menuContext }
  terminal.out(flags.json ? toPlainJson(json) : toVisible(file))
  return EXIT.fine
}

/** The exit code and the message for a menu that cannot be made. */
function toRefusal(
  fault: NewMenuFault,
  { code, context }: NewMenuRequest,
  seen: (path: string) => string,
): [exit: number, message: string] {
  if (fault.reason === 'invalid') {
    const { problem } = fault
    return [EXIT.usage, `${toSubject(problem)}${problem.what} ${toAdvice(problem)}`]
  }
  if (fault.reason === 'uncopyable')
    return [EXIT.usage, `${seen(fault.path)} cannot be copied; copy it by hand, or pass --empty`]
  const what = `${seen(fault.path)} is the menu ${code} with ${describeContext(context)}`
  return [EXIT.findings, `${what}; edit it, or pass another --context`]
}

/** The path from the menus folder of a file that was named; `taken` are those of other menus. */
function toPath(named: string, site: Site, taken: readonly string[]): Answer<string> {
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
    return refuse('bad-request', `${what}: paths are relative to the current folder${todo}`)
  }
  const other = taken.find((each) => each.toLowerCase() === path.toLowerCase())
  if (other !== undefined || existsSync(resolve(menusFolder, path))) {
    const as = other === undefined || other === path ? '' : `, as ${seen(other)}`
    return refuse('bad-request', `${named} already exists${as}`)
  }
  const unread = judgeMenuPath(menusFolderOf(site), path) ?? judgeNewNames(path)
  return unread === null ? done(path) : refuse('bad-request', `${named} would not be read: ${unread}`)
}

/** The words of the command line that a problem of the text is about. */
function toSubject({ pointer }: Problem): string {
  if (pointer === '/code') return 'the code: '
  if (pointer === '/name') return '--name: '
  return pointer.startsWith('/context') ? '--context: ' : ''
}
