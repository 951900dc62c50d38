import { plain } from './markdown.js'
import { rowsUnder } from './readme.js'

/** The Cache-Control of a response in the table of docs/http.md. */
export function cacheOf(answer: string): string {
  const row = rowsUnder('response', '`Cache-Control`').find(([first]) => plain(first) === answer)
  return plain(row?.[1])
}
