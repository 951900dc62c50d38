/** Library name → the prefix that the site's icons carry, such as `bootstrap-icons` → `bi`. */
export type IconPrefixes = ReadonlyMap<string, string>

/** The library of an icon, the part before its first colon; null when it names none. */
export function iconLibrary(icon: string): string | null {
  const colon = icon.indexOf(':')
  return colon === -1 ? null : icon.slice(0, colon)
}

/** The name of an icon in menus, of what clients get for it. */
export function fromClientIcon(icon: string | null, prefixes: IconPrefixes): string | null {
  const [library = null] = [...prefixes].find(([, prefix]) => icon?.startsWith(`${prefix}:`)) ?? []
  return icon === null || library === null ? icon : `${library}${icon.slice(icon.indexOf(':'))}`
}

/** The icon for clients: its library replaced once by the configured prefix, all else as written. */
export function toClientIcon(icon: string | null, prefixes: IconPrefixes): string | null {
  if (icon === null) return null
  const library = iconLibrary(icon)
  const prefix = library === null ? undefined : prefixes.get(library)
  return library === null || prefix === undefined ? icon : prefix + icon.slice(library.length)
}
