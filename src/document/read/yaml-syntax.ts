import { type Document, visit, type YAMLError } from 'yaml'
import { type Problem, toProblem } from '../../model/problem.js'
import { lineAt, type Range, type Source, toFrame, toPosition } from '../source.js'
import { type Slip, slipIn } from './slip.js'

/** How to fix the commonest slips, by the parser's name for them. */
const REMEDIES: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'Indent with spaces.',
  BAD_INDENT: 'Line the key or the dash up with its neighbours.',
  MULTILINE_IMPLICIT_KEY:
    'Check the line before: a colon, a quote or a bracket is missing, or the indent is off.',
  BLOCK_AS_IMPLICIT_KEY:
    'Check for a second colon in the line (quote a text that contains ": "), or for an indent that is off in the next.',
  MISSING_CHAR: 'Close the bracket or the brace, or put the missing character.',
  BAD_DQ_ESCAPE: 'Write \\\\ for a backslash, or use single quotes.',
  UNEXPECTED_TOKEN: 'Quote the text if it is one, or fix the marked place.',
  BAD_SCALAR_START: 'Quote the text: it begins with a character that means something in YAML.',
}
const MAX_ERRORS = 10

/** The errors of composed YAML as problems with their places, one a line: what follows in a line follows from the first. */
export function yamlSyntax(document: Document, source: Source): Problem[] {
  const seen = new Set<number>()
  const problems: Problem[] = []
  for (const error of document.errors) {
    const quote = openQuote(document, error)
    const line = lineAt(source, (quote ?? error.pos)[0])
    if (!seen.has(line)) problems.push(quote === null ? toSyntax(error, source) : neverClosed(quote, source))
    seen.add(line)
    if (quote !== null || problems.length === MAX_ERRORS) break
  }
  return problems
}

function toSyntax(error: YAMLError, source: Source): Problem {
  const { pos, message } = error
  const slip = slipIn(source, lineAt(source, pos[0]))
  if (slip !== null) return syntaxAt(slip.range, slip, source)
  const position = toPosition(source, pos)
  const todo = REMEDIES[slipOf(error, source, position.line)]
  return toProblem({
    code: 'yaml-syntax',
    path: source.path,
    ...position,
    what: message.endsWith('.') ? message : `${message}.`,
    frame: toFrame(source, position),
    ...(todo !== undefined && { todo }),
  })
}

/** The parser's name for a slip, or the name under which its fix is listed. */
function slipOf({ code, message }: YAMLError, { text, lineStarts }: Source, line: number): string {
  const start = lineStarts[line - 1] ?? 0
  if (/^ *\t/.test(text.slice(start, start + 100))) return 'TAB_AS_INDENT'
  if (message.startsWith('Sequence item without')) return 'BAD_INDENT'
  return message.includes('and end with a') ? 'MISSING_CHAR' : code
}

function neverClosed(quote: Range, source: Source): Problem {
  const slip = slipIn(source, lineAt(source, quote[0]))
  if (slip !== null) return syntaxAt(slip.range, slip, source)
  const what = 'The quote that opens here is never closed.'
  return syntaxAt(quote, { what, todo: 'Close the quote at the end of the text.' }, source)
}

function syntaxAt(range: Range, { what, todo }: Pick<Slip, 'what' | 'todo'>, source: Source): Problem {
  const position = toPosition(source, range)
  const frame = toFrame(source, position)
  return toProblem({ code: 'yaml-syntax', path: source.path, ...position, what, frame, todo })
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
