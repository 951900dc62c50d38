import { LanguageVariant, SyntaxKind } from 'typescript/unstable/ast'
import { computeLineStarts, createScanner } from 'typescript/unstable/ast/scanner'

/** A piece of text that people read, and the line on which it begins, from 1. */
export interface Prose {
  readonly line: number
  readonly text: string
  readonly isComment: boolean
}

/** The paragraphs, list items, headings and table cells of a Markdown text, without code, addresses of links and pictures. */
export function proseOfMarkdown(markdown: string): readonly Prose[] {
  const found: Prose[] = []
  let fence: string | null = null
  let open: { line: number; lines: string[] } | null = null
  const close = (): void => {
    if (open !== null) found.push({ line: open.line, text: open.lines.join(' '), isComment: false })
    open = null
  }
  for (const [place, line] of markdown.split('\n').entries()) {
    const [mark] = /^\s*`{3,}/.exec(line) ?? []
    if (mark !== undefined && (fence === null || mark.trim() === fence)) {
      fence = fence === null ? mark.trim() : null
      close()
      continue
    }
    if (fence !== null) continue
    if (line.trim() === '' || /^\s*(?:[-#|]|\d+\.)/.test(line)) close()
    if (line.startsWith('|')) {
      for (const cell of withoutCode(line).split('|'))
        found.push({ line: place + 1, text: cell, isComment: false })
    } else if (line.trim() !== '') {
      open ??= { line: place + 1, lines: [] }
      open.lines.push(withoutCode(line.trim()))
    }
  }
  close()
  return found
}

function withoutCode(text: string): string {
  return text.replace(/`[^`]*`/g, '``').replace(/\]\([^)]*\)/g, ']')
}

/** The comments and the strings of a TypeScript text; of a template, its parts without the expressions. */
export function proseOfTypeScript(source: string): readonly Prose[] {
  const scanner = createScanner(false, LanguageVariant.Standard, source)
  const found: Prose[] = []
  const starts = computeLineStarts(source)
  let line = 1
  /** Of each open brace, whether it is that of an expression in a template. */
  const braces: boolean[] = []
  let previous: SyntaxKind = SyntaxKind.Unknown
  for (let kind = scanner.scan(); kind !== SyntaxKind.EndOfFile; kind = scanner.scan()) {
    if (kind === SyntaxKind.SlashToken && !ENDS_A_VALUE.has(previous)) kind = scanner.reScanSlashToken()
    if (kind === SyntaxKind.OpenBraceToken) braces.push(false)
    if (kind === SyntaxKind.CloseBraceToken && braces.pop() === true) {
      kind = scanner.reScanTemplateToken(false)
      if (kind === SyntaxKind.TemplateMiddle) braces.push(true)
    }
    if (kind === SyntaxKind.TemplateHead) braces.push(true)
    while ((starts[line] ?? Number.POSITIVE_INFINITY) <= scanner.getTokenStart()) line += 1
    const isComment = COMMENTS.has(kind)
    const token = scanner.getTokenText()
    if (isComment) found.push({ line, text: withoutCode(toText(token)), isComment })
    else if (STRINGS.has(kind)) found.push({ line, text: token.replace(MARKS, ''), isComment })
    if (!isComment && !SPACES.has(kind)) previous = kind
  }
  return found
}

const SPACES: ReadonlySet<SyntaxKind> = new Set([SyntaxKind.WhitespaceTrivia, SyntaxKind.NewLineTrivia])
const COMMENTS: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.SingleLineCommentTrivia,
  SyntaxKind.MultiLineCommentTrivia,
])
const STRINGS: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateHead,
  SyntaxKind.TemplateMiddle,
  SyntaxKind.TemplateTail,
])
/** What surrounds the text of a string, or of a part of a template. */
const MARKS = /^['"`}]|(?:['"`]|\$\{)$/g
/** After these, a slash divides; after anything else, it begins a regular expression. */
const ENDS_A_VALUE: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.Identifier,
  SyntaxKind.NumericLiteral,
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateTail,
  SyntaxKind.CloseParenToken,
  SyntaxKind.CloseBracketToken,
  SyntaxKind.CloseBraceToken,
])

/** A comment without its marks, as one line. */
function toText(token: string): string {
  return token.replace(/^\s*(?:\/\*\*?|\*(?!\/)|\/\/)|\*\/$/gm, '').replace(/\s+/g, ' ')
}
