/** Puts values where a sentence has their names in braces. */
export function fill(sentence: string, values: Readonly<Record<string, string | number>>): string {
  return sentence.replace(/\{(\w+)\}/g, (found, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : found,
  )
}
