import leven from 'leven'

/**
 * The word that was probably meant: at most two fifths of its letters (rounded up) differ, and at most `most`; among equals,
 * the one whose case differs least. Null when none is near.
 */
export function toNearest(
  word: string,
  known: Iterable<string>,
  most: number = Number.POSITIVE_INFINITY,
): string | null {
  if (word.length > 100) return null
  let best: string | null = null
  let bestDistance = most
  const meant = word.toLowerCase()
  for (const candidate of known) {
    const far = Math.min(Math.ceil(candidate.length * 0.4), bestDistance) + 1
    const other = candidate.toLowerCase()
    // Words this far away are not wanted, so most candidates end early.
    if (Math.abs(meant.length - other.length) >= far) continue
    const distance = leven(meant, other, { maxDistance: far })
    if (distance >= far) continue
    if (best !== null && distance === bestDistance && leven(word, candidate) >= leven(word, best)) continue
    best = candidate
    bestDistance = distance
  }
  return best
}

/** What is wrong with a word for one of the locales: `is not one of the locales en, de. Did you mean de?` */
export function notOneOf(word: string, locales: readonly string[], others: readonly string[] = []): string {
  const near = toNearest(word, [...others, ...locales])
  return `is not one of the locales ${locales.join(', ')}.${near === null ? '' : ` Did you mean ${near}?`}`
}
