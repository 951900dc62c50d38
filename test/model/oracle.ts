import type { Context, MenuItem, Scalar } from '../../src/model/menu.js'

// The contract once more, as plainly as it can be said and as slowly as it may run. It
// shares no line with src/: where the two disagree, one of them has misread the contract.

/** Section 3.4: same keys, key order ignored, values equal as JSON. */
export function sameContext(a: Context, b: Context): boolean {
  const inBoth = (keys: readonly string[]) =>
    keys.every((key) => Object.hasOwn(a, key) && Object.hasOwn(b, key) && sameJson(a[key], b[key]))
  return inBoth(Object.keys(a)) && inBoth(Object.keys(b))
}

/** JSON knows one zero, and no number that is also a text. */
function sameJson(a: Scalar | undefined, b: Scalar | undefined): boolean {
  return a === b
}

export interface Variant {
  readonly code: string
  readonly context: Context
}

/** Section 3.2, 3.3 and 3.5: the first candidate for which a menu exists; without candidates, the one without a context. */
export function select<V extends Variant>(
  menus: readonly V[],
  code: string,
  sets: readonly Context[],
): V | null {
  for (const candidate of sets.length === 0 ? [{}] : sets) {
    for (const menu of menus) {
      if (menu.code === code && sameContext(menu.context, candidate)) return menu
    }
  }
  return null
}

/** RFC 4647, section 3.4: the range is cut at its end until it is one of the tags; case does not count. */
export function lookUp(range: string, tags: readonly string[]): string | null {
  const [...subtags] = range.toLowerCase().replaceAll('_', '-').split('-')
  while (subtags.length > 0) {
    const match = tags.find((tag) => tag.toLowerCase() === subtags.join('-'))
    if (match !== undefined) return match
    subtags.splice(-1)
    if (subtags.length > 0 && subtags[subtags.length - 1]?.length === 1) subtags.splice(-1)
  }
  return null
}

/** Section 4: the effective locale, its parents, the default locale, the first configured one that has a text, any text. */
export function labelText(
  label: Readonly<Record<string, string>>,
  effective: string,
  defaultLocale: string,
  locales: readonly string[],
): string {
  const written = Object.keys(label)
  const own = lookUp(effective, written)
  if (own !== null) return label[own] ?? ''
  if (written.includes(defaultLocale)) return label[defaultLocale] ?? ''
  const configured = locales.find((locale) => written.includes(locale))
  return label[configured ?? written[0] ?? ''] ?? ''
}

/** What is left of an item on a tree, its children likewise. */
export interface Left {
  readonly item: MenuItem
  readonly children: readonly Left[]
}

/** Section 4, permissions: which items of a list are left, from the deepest level up. */
export function prune(items: readonly MenuItem[], canSee: (item: MenuItem) => boolean): Left[] {
  let left: Left[] = []
  for (const item of items) {
    if (item.hidden || !canSee(item)) continue
    const below = item.type === 'divider' ? [] : item.children
    const children = prune(below, canSee)
    const onlyDividers = children.every((child) => child.item.type === 'divider')
    if (item.type === 'section' && below.length > 0 && onlyDividers) continue
    left.push({ item, children })
  }
  if (left.length === items.length) return left
  for (let loose = looseDivider(left); loose !== -1; loose = looseDivider(left)) {
    left = left.filter((_, place) => place !== loose)
  }
  return left
}

/** The place of a divider that leads, trails or repeats; -1 when there is none. */
function looseDivider(list: readonly Left[]): number {
  const isDivider = (place: number) => list[place]?.item.type === 'divider'
  return list.findIndex(
    (_, place) => isDivider(place) && (place === 0 || place === list.length - 1 || isDivider(place - 1)),
  )
}
