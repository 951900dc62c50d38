import { type Document, visit, type YAMLError } from 'yaml'
import type { Found } from '../issue.js'
import { lineAt, type Range, type Source } from '../source.js'
import { typoIn } from './line-typo.js'
import { TABS, toYamlWords, type YamlWords } from './yaml-words.js'

const MAX_ERRORS = 10

/** The errors of composed YAML, one a line: what follows in a line follows from the first. */
export function yamlSyntax(document: Document, source: Source): readonly Found[] {
  const found = new Map<number, Found>()
  for (const error of document.errors) {
    const quote = openQuote(document, error)
    const [, bracket] = / end with a ([\]}])$/.exec(error.message) ?? []
    const range = quote ?? (bracket === undefined ? error.pos : lastBefore(source, error.pos[0]))
    const line = lineAt(source, range[0])
    const known =
      quote !== null
        ? NEVER_CLOSED
        : bracket === undefined
          ? toSyntax(error, source, line)
          : { what: `A closing ${bracket} is missing on line ${line}.`, todo: 'Close the bracket.' }
    // A bracket is missed in the line in which the next error is.
    const place = bracket === undefined ? line : lineAt(source, error.pos[0])
    if (!found.has(place))
      found.set(place, { code: 'yaml-syntax', range, ...(typoIn(source, line) ?? known) })
    if (quote !== null || found.size === MAX_ERRORS) break
  }
  return [...found.values()]
}

const NEVER_CLOSED: YamlWords = {
  what: 'The quote that opens here is never closed.',
  todo: 'Close the quote at the end of the text.',
}

function toSyntax({ code, message }: YAMLError, { text, lineStarts }: Source, line: number): YamlWords {
  const start = lineStarts[line - 1] ?? 0
  const isTab = /^ *\t/.test(text.slice(start, start + 100))
  return toYamlWords({ code, message: isTab ? TABS : message })
}

/** The last character before an offset that is not space. */
function lastBefore({ text }: Source, offset: number): Range {
  const end = text.slice(0, offset).trimEnd().length
  return [Math.max(0, end - 1), end]
}

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
