import { type Document, visit, type YAMLError } from 'yaml'
import type { Found } from '../issue.js'
import { lineAt, type Range, type Source } from '../source.js'
import { typoIn } from './line-typo.js'

/** How to fix the commonest slips, by the parser's name for them. */
const REMEDIES: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'Indent with spaces.',
  BAD_INDENT: 'Align the key or the dash with its neighbours.',
  MULTILINE_IMPLICIT_KEY:
    'Check the line before: a colon, a quote or a bracket is missing, or the indent is off.',
  BLOCK_AS_IMPLICIT_KEY:
    'Check for a second colon in the line (quote a text that contains ": "), or for an indent that is off in the next.',
  MISSING_CHAR: 'Close the bracket or the brace, or add the missing character.',
  BAD_DQ_ESCAPE: 'Write \\\\ for a backslash, or use single quotes.',
  UNEXPECTED_TOKEN: 'Quote the value if it is a string, or fix the marked place.',
  BAD_SCALAR_START: 'Quote the text: it begins with a character that has a meaning in YAML.',
}
const MAX_ERRORS = 10

/** The errors of composed YAML, one a line: what follows in a line follows from the first. */
export function yamlSyntax(document: Document, source: Source): readonly Found[] {
  const found = new Map<number, Found>()
  for (const error of document.errors) {
    const quote = openQuote(document, error)
    const range = quote ?? error.pos
    const line = lineAt(source, range[0])
    const known = quote === null ? toSyntax(error, source, line) : NEVER_CLOSED
    if (!found.has(line)) found.set(line, { code: 'yaml-syntax', range, ...(typoIn(source, line) ?? known) })
    if (quote !== null || found.size === MAX_ERRORS) break
  }
  return [...found.values()]
}

const NEVER_CLOSED = {
  what: 'The quote that opens here is never closed.',
  todo: 'Close the quote at the end of the text.',
}

function toSyntax({ code, message }: YAMLError, { text, lineStarts }: Source, line: number): Words {
  const start = lineStarts[line - 1] ?? 0
  const isTab = /^ *\t/.test(text.slice(start, start + 100))
  const isDash = message.startsWith('Sequence item without')
  const isOpen = message.includes('and end with a')
  const todo = REMEDIES[isTab ? 'TAB_AS_INDENT' : isDash ? 'BAD_INDENT' : isOpen ? 'MISSING_CHAR' : code]
  return { what: message.endsWith('.') ? message : `${message}.`, ...(todo !== undefined && { todo }) }
}

type Words = Pick<Found, 'what' | 'todo'>

/** The parser misses a quote at the end of the text, often far below; people look for it where it opens. */
function openQuote(document: Document, { code, pos, message }: YAMLError): Range | null {
  if (code !== 'MISSING_CHAR' || !/closing ["']quote/.test(message)) return null
  let found: Range | null = null
  visit(document, {
    Scalar(_, { type, range }) {
      if (type?.startsWith('QUOTE') && range != null && range[0] < pos[0] && pos[0] <= range[1]) {
        found = [range[0], range[0] + 1]
      }
    },
  })
  return found
}
