import { sharedLines } from '../../document/merge/mark-conflicts.js'

const LINES = /[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g
const BREAK = /\r\n|\r|\n/

/**
 * What was typed into a field that showed a text, with the line breaks of that text: browsers send CRLF for each. Lines that
 * were not touched are as they were; new ones get the line break that the text begins with.
 */
export function withLineBreaksOf(shown: string, typed: string): string {
  const linesOf = (text: string): readonly string[] => text.match(LINES) ?? []
  const [olds, news] = [linesOf(shown), linesOf(typed)]
  const plain = (line: string): string => line.replace(BREAK, '\n')
  const [usual = '\n'] = BREAK.exec(shown) ?? []
  const shared = sharedLines(news.map(plain), olds.map(plain))
  return news.map((line, place) => olds[shared.get(place) ?? -1] ?? line.replace(BREAK, usual)).join('')
}
