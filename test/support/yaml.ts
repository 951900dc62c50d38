/**
 * A YAML text, written at the depth of the code around it. What all its lines are indented by is taken away, and so are
 * a first blank line and a last one; it ends with one line break. Backslashes stand as written. A text put in with
 * `${}` keeps to the column that it is put at.
 *
 * @example
 * const text = yaml`
 *   version: 1
 *   items: []
 * ` // 'version: 1\nitems: []\n'
 */
export function yaml(strings: TemplateStringsArray, ...values: readonly unknown[]): string {
  const margin = marginOf(strings.raw)
  let text = ''
  for (const [place, raw] of strings.raw.entries()) {
    text += raw.replaceAll(`\n${margin}`, '\n')
    if (place < values.length) text += aligned(String(values[place]), text)
  }
  return `${text.replace(/^[ \t]*\n/, '').replace(/\s*$/, '')}\n`
}

/** What all lines that the template itself begins are indented by; blank ones say nothing. */
function marginOf(strings: readonly string[]): string {
  const lines = strings.join('x').split('\n').slice(1)
  const margins = lines.filter((line) => line.trim() !== '').map((line) => /^[ \t]*/.exec(line)?.[0] ?? '')
  return margins.sort((a, b) => a.length - b.length)[0] ?? ''
}

/** A text of several lines, its later lines under its first one. */
function aligned(value: string, before: string): string {
  const column = /[^\n]*$/.exec(before)?.[0].length ?? 0
  return value.trimEnd().replaceAll('\n', `\n${' '.repeat(column)}`)
}

/** A value on one line, as people write it: `{ en: Home, es: [1, 2] }`. Its texts need no quotes. */
export function toFlow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toFlow).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  return `{ ${Object.entries(value)
    .map(([key, each]) => `${key}: ${toFlow(each)}`)
    .join(', ')} }`
}
