import type { Config } from '../config/load-config.js'
import type { MenuDocument } from '../document/menu-document.js'
import { toCopiedText, toMenuName, toNewMenuText } from '../document/new-menu.js'
import { NO_CONTEXT, toContextKey } from '../model/context.js'
import type { Context } from '../model/menu.js'
import { toPlainName } from '../model/plain-name.js'
import { isError, type Problem } from '../model/problem.js'
import { done, failed, type Result } from '../model/result.js'
import type { Snapshot } from '../model/snapshot.js'
import { createFileNames, findSchema, type SchemaPlace } from '../store/publish/new-file.js'
import { parseText, readMenu } from './reading.js'

/** The requested menu, with the choices made for it. */
export interface NewMenuRequest {
  readonly code: string
  readonly context: Context
  /** Null for a name made from the code, or from the menu that it is copied from. */
  readonly name: string | null
  /** The path from the menus folder; null for a name made from the code and the context, of a copy in the folder of its original. */
  readonly path: string | null
  /** Whether it has no items. Otherwise a variant begins as a copy of the menu without context. */
  readonly isEmpty: boolean
  /** What it is a complete copy of, instead. Default: as above. */
  readonly source?: MenuDocument
  /** When visitors see a copy, in RFC 3339. Default: when they see the other menu. */
  readonly visibleFrom?: string | null
  /** Whether the caller writes a copy of the schema where there is none. Else such a file names no schema: it would lead nowhere. */
  readonly copiesSchema: boolean
}

/** The file of a new menu, before it is written. */
export interface PlannedMenu {
  readonly path: string
  readonly text: string
  /** The file that it is a copy of; null for none. */
  readonly copied: string | null
  readonly schema: SchemaPlace
}

/** Why there can be no such menu. */
export type NewMenuFault =
  /** The file that is this menu already, whether or not it is served. */
  | { readonly reason: 'exists'; readonly path: string }
  /** The file that it would be a copy of. */
  | { readonly reason: 'uncopyable'; readonly path: string }
  | { readonly reason: 'invalid'; readonly problem: Problem }

/** As long as a name may be. */
const MAX_NAME = 200

/** Decides where a new menu goes and what it says; writes nothing. */
export function planNewMenu(
  config: Config,
  { index, files }: Snapshot,
  request: NewMenuRequest,
): Result<PlannedMenu, NewMenuFault> {
  const { code, context, isEmpty } = request
  const key = toContextKey(context)
  const rival =
    index.get(code)?.get(key) ??
    files.find(({ menu }) => menu?.code === code && toContextKey(menu.context) === key)
  if (rival !== undefined) return failed({ reason: 'exists', path: rival.path })
  const taken = files.map((file) => file.path)
  const isVariant = Object.keys(context).length > 0
  const plain = isEmpty ? undefined : index.get(code)?.get(NO_CONTEXT)
  const base = request.source ?? (isVariant && plain !== undefined ? readMenu(config, plain.path) : null)
  const toFile = createFileNames(config.options.storage.file_prefix, taken)
  // A copy is beside its original.
  const path = request.path ?? toFile(code, context, toFolder(base?.path ?? ''))
  const name = request.name ?? toName((base && plain?.menu.name) ?? toMenuName(code), context)
  const schema = findSchema(config.menusFolder, path)
  const named = schema.copy === null || request.copiesSchema ? schema.path : null
  const menu = { code, name, context, isEmpty, schema: named }
  const text = base === null ? toNewMenuText(menu) : toCopiedText(base, menu, request.visibleFrom)
  if (text === null) return failed({ reason: 'uncopyable', path: base?.path ?? '' })
  const problem = parseText(config, path, text).problems.find(isError)
  if (problem !== undefined) return failed({ reason: 'invalid', problem })
  return done({ path, text, copied: base?.path ?? null, schema })
}

/** The folder of a path, with a slash at its end; `''` for the top. */
function toFolder(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

function toName(name: string, context: Context): string {
  const pairs = Object.entries(context).map(([key, value]) => {
    const plain = toPlainName(key).replace(/^\p{Lu}(?!\p{Lu})/u, (letter) => letter.toLowerCase())
    return `${plain} ${typeof value === 'boolean' ? (value ? 'yes' : 'no') : value}`
  })
  const text = [name, ...pairs].join(', ')
  // By characters, not by halves of them.
  return [...text].slice(0, MAX_NAME).join('')
}
