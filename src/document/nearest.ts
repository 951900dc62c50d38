import leven from 'leven'

/** The word that was probably meant: at most two fifths of its letters (rounded up) differ; null when none is near. */
export function toNearest(word: string, known: Iterable<string>): string | null {
  if (word.length > 100) return null
  let best: string | null = null
  let bestDistance = Number.POSITIVE_INFINITY
  for (const candidate of known) {
    const distance = leven(word.toLowerCase(), candidate.toLowerCase())
    const near = distance <= Math.ceil(candidate.length * 0.4)
    if (near && distance < bestDistance) [best, bestDistance] = [candidate, distance]
  }
  return best
}
