import { toClosed } from '../model/direction.js'

/** Puts values where a sentence has their names in braces. */
export function fill(sentence: string, values: Readonly<Record<string, string | number>>): string {
  return sentence.replace(/\{(\w+)\}/g, (found, name: string) =>
    Object.hasOwn(values, name) ? toClosed(String(values[name])) : found,
  )
}
