import { sharedLines, toLines } from '../document/merge/mark-conflicts.js'

/** A text before and after a change; null where there was or is no file. */
export interface TextPair {
  /** The path shown in the difference, with `/`. */
  readonly path: string
  readonly before: string | null
  readonly after: string | null
}

/** Lines around a difference. */
const CONTEXT = 3

/** The unified difference of texts, as `git apply` reads it; `''` where they are equal. */
export function toUnifiedDiff({ path, before, after }: TextPair): string {
  if (before === after) return ''
  // No patch leads out of the folder that it is applied in.
  const own = path.replace(/^(?:\.\.?\/)+/, '')
  const names = [before, after].map((text, place) => (text === null ? null : `${'ab'[place]}/${own}`))
  const [from, to] = names.map((name) => (name === null ? '/dev/null' : toQuoted(name)))
  const heads = [
    `diff --git ${toQuoted(`a/${own}`)} ${toQuoted(`b/${own}`)}`,
    ...(before === null ? ['new file mode 100644'] : after === null ? ['deleted file mode 100644'] : []),
    // Git ends a name with blanks by a tab.
    `--- ${from}${from?.includes(' ') ? '\t' : ''}`,
    `+++ ${to}${to?.includes(' ') ? '\t' : ''}`,
  ]
  const hunks = toHunks(toEdits(toLines(before ?? ''), toLines(after ?? ''))).map(toHunkText)
  return `${heads.join('\n')}\n${hunks.join('')}`
}

/** A line of either text, or of both. */
interface Edit {
  readonly sign: ' ' | '-' | '+'
  readonly line: string
  /** The lines of each text before it. */
  readonly old: number
  readonly now: number
}

function toEdits(olds: readonly string[], news: readonly string[]): readonly Edit[] {
  const shared = sharedLines(olds, news)
  const edits: Edit[] = []
  let now = 0
  const addUntil = (end: number, old: number): void => {
    while (now < end) edits.push({ sign: '+', line: news[now] ?? '', old, now: now++ })
  }
  for (const [old, line] of olds.entries()) {
    const place = shared.get(old)
    addUntil(place ?? now, old)
    edits.push({ sign: place === undefined ? '-' : ' ', line, old, now })
    if (place !== undefined) now++
  }
  addUntil(news.length, olds.length)
  return edits
}

/** Runs of edits that are changes, or near one. */
function toHunks(edits: readonly Edit[]): readonly (readonly Edit[])[] {
  const hunks: Edit[][] = []
  let end = -1
  for (const [place, { sign }] of edits.entries()) {
    if (sign === ' ') continue
    const from = Math.max(place - CONTEXT, end)
    if (end < 0 || from > end) hunks.push([])
    const to = Math.min(place + CONTEXT + 1, edits.length)
    hunks.at(-1)?.push(...edits.slice(Math.max(from, 0), to))
    end = to
  }
  return hunks
}

function toHunkText(edits: readonly Edit[]): string {
  const [first] = edits
  const span = (sign: '-' | '+', start: number): string => {
    const count = edits.filter((edit) => edit.sign !== sign).length
    // A side without lines is named by the line before.
    return count === 0 ? `${start},0` : `${start + 1},${count}`
  }
  const lines = edits.map(({ sign, line }) =>
    line.endsWith('\n') ? sign + line : `${sign}${line}\n\\ No newline at end of file\n`,
  )
  return `@@ -${span('+', first?.old ?? 0)} +${span('-', first?.now ?? 0)} @@\n${lines.join('')}`
}

/** A name as git writes it where it has characters that would not be read back. */
function toQuoted(name: string): string {
  if (!/["\\\p{Cc}]/u.test(name)) return name
  const toEscape = (character: string): string =>
    /["\\]/.test(character) ? `\\${character}` : `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`
  return `"${name.replace(/["\\\p{Cc}]/gu, toEscape)}"`
}
