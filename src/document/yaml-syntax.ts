import type { Document } from 'yaml'
import { type Problem, toProblem } from '../model/problem.js'
import { type Source, toFrame, toPosition } from './source.js'

/** How the commonest slips are mended, by the parser's name for them. */
const TODO: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'Indent with spaces.',
  BAD_INDENT: 'Line the key or the dash up with its neighbours.',
  MULTILINE_IMPLICIT_KEY:
    'Check the line before: a colon, a quote or a bracket is missing, or the indent is off.',
  BLOCK_AS_IMPLICIT_KEY: 'Check for a second colon in the line: quote a text that contains ": ".',
  MISSING_CHAR: 'Close the quote, the bracket or the brace, or put the missing character.',
  BAD_DQ_ESCAPE: 'Write \\\\ for a backslash, or use single quotes.',
  UNEXPECTED_TOKEN: 'Quote the text if it is one, or mend the marked place.',
  BAD_SCALAR_START: 'Quote the text: it begins with a character that means something in YAML.',
}
const MAX_ERRORS = 10

/** The errors of composed YAML as problems with their places. */
export function yamlSyntax(document: Document, source: Source): Problem[] {
  return document.errors.slice(0, MAX_ERRORS).map(({ code, pos, message }) => {
    const position = toPosition(source, pos)
    const todo = TODO[code]
    return toProblem({
      code: 'yaml-syntax',
      path: source.path,
      ...position,
      what: message.endsWith('.') ? message : `${message}.`,
      frame: toFrame(source, position),
      ...(todo !== undefined && { todo }),
    })
  })
}
