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
  createDraft,
  createNotebook,
  type Draft,
  type Notebook,
  type Notes,
  note,
  put,
  putOthers,
  read,
  readClasses,
  readFlag,
  readWhole,
} from './draft.js'
import { CLASS_HOMES, DISPLAY_HOMES, MENU_FIELDS } from './fields.js'
import { type Importing, toItems } from './import-items.js'
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
}

/** All menus together may have as many bytes, values and items as this many menus at their limits: 10 MB. */
export const MENUS_AT_LIMITS = 10
/** Menus of one payload, each a file to write: the client of a longer import would go before it is answered. */
const MAX_MENUS = 500
/** Levels of the JSON around a menu. */
const DEPTH_AROUND = 3

/**
 * Reads menus from the JSON of the Symfony bundle (see `fields.ts`): one `{menu, items}`, `{menus: […]}`, or a list of such
 * blocks. Of blocks with one code and equal contexts the first counts. The menus are judged as their files will be; the base label
 * of an item is its text for `defaultLocale`. Yields after each menu, so that the caller can do something else in between; the
 * last one is the whole. Never throws.
 */
export function* importMenus(
  bytes: Uint8Array,
  parse: ParseOptions,
  defaultLocale: Locale,
): Generator<Import, void, void> {
  const { limits } = parse
  const notebook = createNotebook()
  const refused = (pointer: string, what: string): Import => {
    notebook.add('refused', pointer, what)
    return { menus: [], ...notebook.all() }
  }
  const yaml = toYamlLimits(limits)
  const most = MENUS_AT_LIMITS * limits.bytes
  if (bytes.length > most)
    return yield refused('', `The JSON has ${bytes.length} bytes, and ${most} are allowed.`)
  const { value, fault } = readJson(bytes, {
    ...{ depth: yaml.depth + DEPTH_AROUND, nodes: MENUS_AT_LIMITS * yaml.nodes },
    keysPerMap: yaml.keysPerMap,
  })
  if (fault !== null) return yield refused(fault.pointer, fault.what)
  const blocks = blocksOf(value, notebook)
  if (blocks.length === 0) return yield refused('', 'The JSON has no menus.')
  if (blocks.length > MAX_MENUS)
    return yield refused('', `The JSON has ${blocks.length} menus, and ${MAX_MENUS} are allowed.`)
  const importing = { defaultLocale, room: MENUS_AT_LIMITS * limits.items }
  const taken = new Map<string, string>()
  const menus: ImportedMenu[] = []
  for (const [block, from] of blocks) {
    if (!isBlock(block)) notebook.add('refused', from, NO_BLOCK)
    else {
      dropOthers(block, ['menu', 'items'], from, notebook)
      if (!isRepeated(block.menu, from, taken, notebook))
        menus.push(...toMenus(block, from, notebook, parse, importing))
    }
    yield { menus, ...notebook.all() }
  }
}

const NO_BLOCK = 'A menu is {"menu": {…}, "items": […]}, and this is not.'

type Block = JsonMap & { readonly menu: JsonMap; readonly items: readonly Json[] }

function isBlock(block: Json): block is Block {
  return isMap(block) && isMap(block['menu']) && isList(block['items'])
}

/** The blocks of a payload with their pointers. */
function blocksOf(value: Json, notebook: Notebook): readonly (readonly [block: Json, from: string])[] {
  if (isList(value)) return value.map((block, place) => [block, `/${place}`])
  const menus = isMap(value) ? value['menus'] : null
  if (!isMap(value) || !isList(menus)) return [[value, '']]
  dropOthers(value, ['menus'], '', notebook)
  return menus.map((block, place) => [block, `/menus/${place}`])
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
function toMenus(
  { menu, items }: Block,
  from: string,
  notebook: Notebook,
  parse: ParseOptions,
  importing: Importing,
): readonly ImportedMenu[] {
  const before = notebook.all().refusals
  const draft = createDraft(menu, '', `${from}/menu`, { notebook, places: new Map() })
  putMenu(draft)
  put(draft, 'items', toItems(items, draft, '/items', `${from}/items`, importing))
  if (notebook.all().refusals > before) return []
  const value = Object.fromEntries(draft.entries)
  const text = toMenuText(null, value)
  const document = readDocument('', new TextEncoder().encode(text), parse.limits)
  const judged = judgeDocument(document, parse)
  for (const { pointer, what } of judged.problems.filter(isError))
    notebook.add('refused', placeOf(pointer, draft) ?? draft.from, what)
  if (judged.menu === null) return []
  if (isEqual(document.value ?? undefined, value)) return [{ pointer: from, menu: judged.menu, value, text }]
  notebook.add('refused', from, 'This menu cannot be written as YAML.')
  return []
}

/** Where the value at a pointer of the menu, or the nearest one around it, is from. */
function placeOf(pointer: string, { places }: Draft): string | undefined {
  const steps = parsePointer(pointer) ?? []
  const around = steps.map((_, place) => toPointer(steps.slice(0, steps.length - place)))
  return places.get(around.find((each) => places.has(each)) ?? '')
}

const KNOWN: ReadonlySet<string> = new Set([
  ...MENU_FIELDS,
  ...Object.keys(CLASS_HOMES),
  ...Object.keys(DISPLAY_HOMES),
])

const FLAGS = ['collapsible', 'collapsibleExpanded', 'nestedCollapsible']

function putMenu(draft: Draft): void {
  const [given, name] = [read(draft, 'code'), read(draft, 'name')]
  const code = typeof given === 'string' ? given.trim() : given
  const isNameless = name === null || (typeof name === 'string' && name.trim() === '')
  if (isNameless) note(draft, 'changed', 'name', 'The menu has no name: one is made of its code.')
  put(draft, 'version', 1)
  put(draft, 'code', code)
  put(draft, 'name', isNameless && typeof code === 'string' ? toMenuName(code) : name)
  put(draft, 'context', read(draft, 'context'))
  const display = createDraft(draft.raw, '/display', draft.from, draft)
  const classes = createDraft(draft.raw, '/display/classes', draft.from, draft)
  for (const [field, key] of Object.entries(CLASS_HOMES)) put(classes, key, readClasses(draft, field), field)
  if (classes.entries.length > 0) display.entries.push(['classes', Object.fromEntries(classes.entries)])
  for (const [field, key] of Object.entries(DISPLAY_HOMES)) {
    const value = readDisplay(draft, field)
    put(display, key, value, field)
    const what = `${quote(field)} has no meaning here; it is kept as ${quote(key)} of display.`
    if (value !== null && key.startsWith('x-')) note(draft, 'renamed', field, what)
  }
  if (display.entries.length > 0) draft.entries.push(['display', Object.fromEntries(display.entries)])
  putOthers(draft, KNOWN, new Set())
}

function readDisplay(draft: Draft, field: string): Json {
  if (field === 'depthLimit') return readWhole(draft, field)
  return FLAGS.includes(field) ? readFlag(draft, field) : read(draft, field)
}
