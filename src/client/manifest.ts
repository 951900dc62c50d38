/** The index of an export, as far as a client reads it: the name of a file for each variant and locale. */
export interface Manifest {
  readonly locales: readonly string[]
  readonly defaultLocale: string
  readonly menus: Readonly<
    Record<string, readonly { context: object; json: Readonly<Record<string, string>> }[]>
  >
}

/** Longer tags are not parsed, as on the server. */
const MAX_TAG_LENGTH = 64

/**
 * The file with the answer that the service gives: of the first candidate that a menu has, in the locale of the first tag that is
 * among the locales. Undefined if no menu matches.
 */
export function fileOf(
  { menus, locales, defaultLocale }: Manifest,
  code: string,
  candidates: readonly string[],
  tags: readonly string[],
): string | undefined {
  // A map, because a code may be the name of something that every object has.
  const variants = new Map(Object.entries(menus)).get(code)
  const matchOf = (candidate: string) => variants?.find(({ context }) => toKey(context) === candidate)
  const locale = tags.map((tag) => lookUp(tag, locales)).find(Boolean) ?? defaultLocale
  return candidates.map(matchOf).find(Boolean)?.json[locale]
}

/** A text that only equal contexts share, with the keys in one order; null and `[]` are no context, as `{}` is. */
export function toKey(context: object | null): string {
  const own = { ...context }
  return JSON.stringify(own, Object.keys(own).sort())
}

/** RFC 4647 lookup, `_` accepted for `-`; empty for what is no tag, and if neither it nor a parent is among the locales. */
function lookUp(tag: string, locales: readonly string[]): string {
  let found = ''
  try {
    if (tag.length <= MAX_TAG_LENGTH) [found = ''] = Intl.getCanonicalLocales(tag.replaceAll('_', '-'))
  } catch {}
  // A singleton such as `x` or `u` goes with what it introduced.
  while (found && !locales.includes(found)) found = found.replace(/(-\w)?(-|^)\w+$/, '')
  return found
}
