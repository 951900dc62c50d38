/**
 * The first of our entity tags that an If-None-Match header names, by weak comparison; `*` names any (RFC 9110, section
 * 13.1.2). Null when none is named.
 */
export function matchEntityTag(header: string, tags: readonly string[]): string | null {
  // As nearly all browsers and caches send it.
  if (tags.includes(header)) return header
  if (header.trim() === '*') return tags[0] ?? null
  // A tag of ours has neither commas nor quotes inside, so splitting at commas cannot tear one.
  for (const part of header.split(',')) {
    const tag = part.trim().replace(/^W\//, '')
    if (tags.includes(tag)) return tag
  }
  return null
}
