import { toContextKey } from '../../model/context.js'
import { isEqual, isList, isMap, type Json, type JsonMap } from '../../model/json.js'
import { toYamlLimits } from '../../model/limits.js'
import type { Locale } from '../../model/locale.js'
import type { Context, Menu } from '../../model/menu.js'
import { parsePointer, toPointer } from '../../model/pointer.js'
import { isError } from '../../model/problem.js'
import { quote } from '../issue.js'
import { readDocument } from '../menu-document.js'
import { toMenuName, toMenuText } from '../new-menu.js'
import { judgeDocument, type ParseOptions } from '../parse.js'
import {
  type Conversion,
  createConversion,
  createNotebook,
  type Note,
  type Notebook,
  type Notes,
  note,
  put,
  putOthers,
  read,
  readClasses,
  readFlag,
  readWhole,
} from './conversion.js'
import { fillUp, MENU_HOMES, OWN_MEMBER } from './fields.js'
import { type Importing, ownMember, toItems } from './import-items.js'
import { readJson } from './read-json.js'

/** A menu that can be written as it is. */
export interface ImportedMenu {
  /** JSON Pointer to its block in the JSON. */
  readonly pointer: string
  readonly menu: Menu
  readonly value: JsonMap
  /** The text of its file, without a modeline; it has no error. */
  readonly text: string
}

/** The menus that are not refused, and what happened to every value on the way. With `refusals`, nothing should be written. */
export interface Import extends Notes {
  readonly menus: readonly ImportedMenu[]
  /** What the JSON has beside its menus as `versions`: those of the files that it is meant for. Default: null. */
  readonly versions: Json
}

/** All menus together may have as many bytes, values and items as this many menus at their limits: 10 MB. */
export const MENUS_AT_LIMITS = 10
/** Menus of one payload, each a file to write: the client of a longer import would go before it is answered. */
export const MAX_MENUS = 500
/** Levels of the JSON around a menu. */
const DEPTH_AROUND = 3

/**
 * Reads menus from the JSON of the Symfony bundle (see `fields.ts`): one `{menu, items}`, `{menus: […]}`, or a list of such
 * blocks. Of blocks with one code and equal contexts the first counts. The menus are judged as their files will be; the base label
 * of an item is its text for `defaultLocale`. Yields after each step, so that the caller can do something else in between. Never
 * throws.
 */
export function* importMenus(
  bytes: Uint8Array,
  parse: ParseOptions,
  defaultLocale: Locale,
): Generator<void, Import> {
  const { limits } = parse
  const notebook = createNotebook()
  const refused = (pointer: string, what: string): Import => {
    notebook.add('refused', pointer, what)
    return { menus: [], versions: null, ...notebook.all() }
  }
  const yaml = toYamlLimits(limits)
  const most = MENUS_AT_LIMITS * limits.bytes
  if (bytes.length > most) return refused('', `The JSON has ${bytes.length} bytes, and ${most} are allowed.`)
  const { value, fault } = readJson(bytes, {
    ...{ depth: yaml.depth + DEPTH_AROUND, nodes: MENUS_AT_LIMITS * yaml.nodes },
    keysPerMap: yaml.keysPerMap,
  })
  if (fault !== null) return refused(fault.pointer, fault.what)
  const { versions = null, ...given } = isMap(value) ? value : {}
  yield
  const { blocks, around } = blocksOf(isMap(value) ? given : value, notebook)
  if (blocks.length === 0) return refused('', 'The JSON has no menus.')
  if (blocks.length > MAX_MENUS)
    return refused('', `The JSON has ${blocks.length} menus, and ${MAX_MENUS} are allowed.`)
  const importing = { defaultLocale, room: MENUS_AT_LIMITS * limits.items }
  const taken = new Map<string, string>()
  const menus: ImportedMenu[] = []
  for (const [place, block] of blocks.entries()) {
    const from = around === null ? '' : `${around}/${place}`
    if (!isBlock(block)) notebook.add('refused', from, NO_BLOCK)
    else {
      dropOthers(block, ['menu', 'items', OWN_MEMBER], from, notebook)
      if (!isRepeated(block.menu, from, taken, notebook))
        menus.push(...(yield* toMenus(block, from, notebook, parse, importing)))
    }
    yield
  }
  return { menus, versions, ...notebook.all() }
}

const NO_BLOCK = 'A menu must be {"menu": {…}, "items": […]}.'

type Block = JsonMap & { readonly menu: JsonMap; readonly items: readonly Json[] }

function isBlock(block: Json): block is Block {
  return isMap(block) && isMap(block['menu']) && isList(block['items'])
}

/** The blocks of a payload, and the pointer to the list of them; null where the payload is one block. */
function blocksOf(
  value: Json,
  notebook: Notebook,
): { readonly blocks: readonly Json[]; readonly around: string | null } {
  if (isList(value)) return { blocks: value, around: '' }
  const menus = isMap(value) ? value['menus'] : null
  if (!isMap(value) || !isList(menus)) return { blocks: [value], around: null }
  dropOthers(value, ['menus'], '', notebook)
  return { blocks: menus, around: '/menus' }
}

function dropOthers(map: JsonMap, known: readonly string[], from: string, notebook: Notebook): void {
  for (const key of Object.keys(map).filter((each) => !known.includes(each)))
    notebook.add('dropped', from + toPointer([key]), `${quote(key)} is left out: it is not part of a menu.`)
}

/** Whether an earlier block is the same menu. */
function isRepeated(menu: JsonMap, from: string, taken: Map<string, string>, notebook: Notebook): boolean {
  const { code, context } = menu
  if (typeof code !== 'string') return false
  const key = `${code.trim()} ${isMap(context) ? toContextKey(context as Context) : ''}`
  const first = taken.get(key)
  taken.set(key, first ?? from)
  if (first === undefined) return false
  notebook.add('dropped', from, `The menu is left out: that at ${first} has its code and an equal context.`)
  return true
}

/** The menu of a block, as it is read from its text; none where it is refused. */
function* toMenus(
  block: Block,
  from: string,
  notebook: Notebook,
  parse: ParseOptions,
  importing: Importing,
): Generator<void, readonly ImportedMenu[]> {
  const { menu, items } = block
  const { refusals: before, notes: earlier } = notebook.all()
  const listed = earlier.length
  const conversion = createConversion(menu, '', `${from}/menu`, { notebook, places: new Map() })
  putMenu(conversion)
  const { items: unseen = [], ...others } = ownMember(block, { notebook, from }) ?? {}
  const list = { list: unseen, from: `${from}/${OWN_MEMBER}/items` }
  put(conversion, '/items', toItems(items, conversion, '/items', `${from}/items`, importing, list))
  // What is refused already is not refused in other words as well.
  const known = new Set(refusedIn(notebook.all().notes.slice(listed)))
  const value = fillUp(conversion.value, others)
  yield
  const text = toMenuText(null, value)
  yield
  const document = readDocument('', new TextEncoder().encode(text), parse.limits)
  yield
  const judged = judgeDocument(document, parse)
  for (const { pointer, what } of judged.problems.filter(isError)) {
    const place = placeOf(pointer, conversion) ?? conversion.from
    if (!known.has(place)) notebook.add('refused', place, what)
  }
  const more = judged.omittedErrors
  if (more > 0) notebook.add('refused', from, `The menu has ${more} more ${more === 1 ? 'error' : 'errors'}.`)
  if (judged.menu === null || notebook.all().refusals > before) return []
  if (isEqual(document.value ?? undefined, value)) return [{ pointer: from, menu: judged.menu, value, text }]
  notebook.add('refused', from, 'This menu cannot be written as YAML.')
  return []
}

function refusedIn(notes: readonly Note[]): readonly string[] {
  return notes.flatMap(({ kind, pointer }) => (kind === 'refused' ? [pointer] : []))
}

/** Where the value at a pointer of the menu, or the nearest one around it, is from. */
function placeOf(pointer: string, { places }: Conversion): string | undefined {
  const steps = parsePointer(pointer) ?? []
  const around = steps.map((_, place) => toPointer(steps.slice(0, steps.length - place)))
  return places.get(around.find((each) => places.has(each)) ?? '')
}

/** How fields are read, where that takes more than to look whether they have content. */
const READERS: Readonly<Record<string, typeof read>> = {
  code: readCode,
  name: readName,
  depthLimit: readWhole,
  collapsible: readFlag,
  collapsibleExpanded: readFlag,
  nestedCollapsible: readFlag,
}

/** What the fields of a menu make of it, without its items. */
export function toMenuValue(menu: JsonMap): JsonMap {
  const conversion = createConversion(menu, '', '', { notebook: createNotebook(), places: new Map() })
  putMenu(conversion)
  return conversion.value
}

function putMenu(conversion: Conversion): void {
  put(conversion, '/version', 1)
  for (const [field, home] of Object.entries(MENU_HOMES)) {
    const reader = home.startsWith('/display/classes/') ? readClasses : (READERS[field] ?? read)
    const value = reader(conversion, field)
    put(conversion, home, value, field)
    const [, meaningless] = home.split('/display/x-')
    const what = `${quote(field)} has no meaning here; it is kept as ${quote(`x-${meaningless}`)} of display.`
    if (value !== null && meaningless !== undefined) note(conversion, 'renamed', field, what)
  }
  putOthers(conversion, new Set(Object.keys(MENU_HOMES)), new Set())
}

function readCode(conversion: Conversion): Json {
  const code = read(conversion, 'code')
  return typeof code === 'string' ? code.trim() : code
}

function readName(conversion: Conversion): Json {
  const [code, name] = [readCode(conversion), read(conversion, 'name')]
  if (name !== null && (typeof name !== 'string' || name.trim() !== '')) return name
  note(conversion, 'changed', 'name', 'The menu has no name, so it gets one from its code.')
  return typeof code === 'string' ? toMenuName(code) : name
}
