import { plain } from './markdown.js'
import { rowsUnder } from './readme.js'

/** The Cache-Control of an answer, by the table of docs/http.md. */
export function cacheOf(answer: string): string {
  const row = rowsUnder('answer', '`Cache-Control`').find(([first]) => plain(first) === answer)
  return plain(row?.[1])
}
