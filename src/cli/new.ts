import { existsSync, statSync } from 'node:fs'
import { isAbsolute, relative, resolve } from 'node:path'
import { toMenuName, toNewMenuText, toVariantText } from '../document/new-menu.js'
import { toVisible } from '../document/source.js'
import { describeContext, NO_CONTEXT, toContextKey } from '../model/context.js'
import type { Context } from '../model/menu.js'
import { isError, type Problem, toAdvice } from '../model/problem.js'
import { done } from '../model/result.js'
import { type Answer, refuse } from '../review/answer.js'
import { toPlainJson } from '../review/plain-json.js'
import { parseText, readMenu } from '../review/reading.js'
import { toShellWord } from '../review/shell-word.js'
import { type Site, toSeen, toSlashes } from '../review/site.js'
import { toReason } from '../service/log.js'
import { findSchema, judgePlace, toFileName, writeNewFile, writeSchema } from '../store/publish/new-file.js'
import { type CommandContext, type Flags, fail, need, needConfig, note } from './command.js'
import { EXIT } from './exit-codes.js'
import { readContext } from './flag-values.js'
import { readMenus } from './read-menus.js'

type NewFlags = Flags<'empty' | 'json', 'name' | 'context' | 'file'>

/** As long as a name may be. */
const MAX_NAME = 200

/** `menuscript new`: writes the file of a new menu, or of a new variant, where there is none yet. */
export async function newMenu(context: CommandContext, flags: NewFlags, code: string): Promise<number> {
  const { terminal } = context
  const site = await needConfig(context, flags)
  const menuContext = need(context, readContext(flags.context ?? ''))
  if (statSync(site.menusFolder, { throwIfNoEntry: false })?.isDirectory() === false) {
    const what = `${site.menusFolder} is where the menus should be, and is not a folder`
    fail(context, EXIT.configuration, what)
  }
  const snapshot = await readMenus(context, site)
  const seen = (path: string): string => toSeen(site, path)
  const key = toContextKey(menuContext)
  // The file that is this menu already, whether or not it is served.
  const rival =
    snapshot.index.get(code)?.get(key) ??
    snapshot.files.find(({ menu }) => menu?.code === code && toContextKey(menu.context) === key)
  if (rival !== undefined) {
    const what = `${seen(rival.path)} is the menu ${code} with ${describeContext(menuContext)}`
    fail(context, EXIT.findings, `${what}; edit it, or give a --context of its own`)
  }
  const taken = snapshot.files.map((file) => file.path)
  const path =
    flags.file === undefined
      ? toFileName(code, menuContext, site.options.storage.file_prefix, taken)
      : need(context, toPath(flags.file, site, taken))
  // A variant begins as a copy of the menu without context.
  const isVariant = Object.keys(menuContext).length > 0
  const plain = isVariant && !flags.empty ? snapshot.index.get(code)?.get(NO_CONTEXT) : undefined
  const base = plain === undefined ? null : readMenu(site, plain.path)
  const name = flags.name ?? toName((base && plain?.menu.name) ?? toMenuName(code), menuContext)
  const draft = { code, name, context: menuContext, isEmpty: flags.empty }
  const toText = (schema: string | null): string | null =>
    base === null ? toNewMenuText({ ...draft, schema }) : toVariantText(base, { ...draft, schema })
  const text = toText(null)
  if (text === null) {
    const what = `${seen(base?.path ?? '')} cannot be copied`
    return fail(context, EXIT.usage, `${what}; copy it by hand, or give --empty`)
  }
  const error = parseText(site, path, text).problems.find(isError)
  if (error !== undefined) fail(context, EXIT.usage, `${toSubject(error)}${error.what} ${toAdvice(error)}`)
  const file = seen(path)
  try {
    const schema = findSchema(site.menusFolder, path)
    writeNewFile(site.menusFolder, path, toText(schema.path) ?? text)
    if (schema.copy !== null) {
      writeSchema(site.menusFolder)
      note(context, `${seen(schema.copy)} is the schema, for editors`)
    }
    if (base !== null) note(context, `it begins as a copy of ${seen(base.path)}`)
  } catch (thrown) {
    fail(context, EXIT.configuration, `${file} cannot be written: ${toReason(thrown)}`)
  }
  const json = { version: 1, file, code, context: menuContext }
  terminal.out(flags.json ? toPlainJson(json) : toVisible(file))
  return EXIT.fine
}

/** The path from the menus folder of a file that was named; `taken` are those of other menus. */
function toPath(named: string, site: Site, taken: readonly string[]): Answer<string> {
  const { folder, menusFolder, options } = site
  const path = toSlashes(relative(menusFolder, resolve(folder, named)))
  const seen = (file: string): string => toSeen(site, file)
  if (path.startsWith('../') || path === '..' || isAbsolute(path)) {
    // An absolute path stays one, and is not in the folder either.
    const meant = seen(/\.ya?ml$/.test(named) ? named : `${named.replace(/\.\w+$/, '')}.yaml`)
    const isMeant = !relative(menusFolder, resolve(folder, meant)).startsWith('..')
    const inside = isMeant ? toPath(meant, site, taken).value : null
    const todo = inside === null ? '' : `; write --file ${toShellWord(seen(inside))}`
    const what = `${named} is not in the menus folder, ${menusFolder}`
    return refuse('bad-request', `${what}: paths count from the current folder${todo}`)
  }
  const other = taken.find((each) => each.toLowerCase() === path.toLowerCase())
  if (other !== undefined || existsSync(resolve(menusFolder, path))) {
    const as = other === undefined || other === path ? '' : `, as ${seen(other)}`
    return refuse('bad-request', `${named} is there already${as}`)
  }
  const unread = judgePlace(menusFolder, path, options.storage.file_prefix)
  return unread === null ? done(path) : refuse('bad-request', `${named} would not be read: ${unread}`)
}

/** The words of the command line that a problem of the text is about. */
function toSubject({ pointer }: Problem): string {
  if (pointer === '/code') return 'the code: '
  if (pointer === '/name') return '--name: '
  return pointer.startsWith('/context') ? '--context: ' : ''
}

function toName(name: string, context: Context): string {
  const pairs = Object.entries(context).map(([key, value]) => `${key} ${value}`)
  const text = [name, ...pairs].join(', ')
  // By characters, not by halves of them.
  return [...text].slice(0, MAX_NAME).join('')
}
