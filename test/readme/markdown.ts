/** A fenced block of a Markdown text. */
export interface Block {
  /** The heading that it stands under, without its marks. */
  readonly section: string
  /** Such as `yaml`; `''` when the fence names none. */
  readonly language: string
  readonly text: string
  /** The line of its fence, from 1. */
  readonly line: number
}

/** A table, its cells trimmed. */
export interface Table {
  readonly section: string
  /** The line of its head, from 1. */
  readonly line: number
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** A heading, and the lines below it up to the next heading of any level. */
export interface Section {
  readonly heading: string
  readonly text: string
}

export interface Markdown {
  readonly sections: readonly Section[]
  readonly blocks: readonly Block[]
  readonly tables: readonly Table[]
}

/** Reads what our pages are made of: headings, fenced blocks and tables. No other Markdown is understood. */
export function parseMarkdown(text: string): Markdown {
  const sections: { heading: string; text: string }[] = []
  const blocks: Block[] = []
  const tables: { section: string; line: number; head: string[]; rows: string[][] }[] = []
  let fence: { mark: string; language: string; line: number; lines: string[] } | null = null
  let inTable = false
  for (const [place, line] of text.split('\n').entries()) {
    const [, heading] = fence === null ? (/^#{1,6} (.+)$/.exec(line) ?? []) : []
    if (heading !== undefined) sections.push({ heading: plain(heading), text: '' })
    const current = sections.at(-1) ?? { heading: '', text: '' }
    if (heading === undefined) current.text += `${line}\n`
    const section = current.heading
    const [mark] = /^`{3,}/.exec(line) ?? []
    // A longer fence holds shorter ones (CommonMark 0.31, section 4.5).
    if (mark !== undefined && (fence === null || fence.mark === mark)) {
      if (fence === null)
        fence = { mark, language: line.slice(mark.length).trim(), line: place + 1, lines: [] }
      else {
        const { language, lines } = fence
        blocks.push({ section, language, text: `${lines.join('\n')}\n`, line: fence.line })
        fence = null
      }
      continue
    }
    if (fence !== null) {
      fence.lines.push(line)
      continue
    }
    const isRow = line.startsWith('|')
    if (isRow && !inTable) tables.push({ section, line: place + 1, head: toCells(line), rows: [] })
    else if (isRow && !/^[|\s-]+$/.test(line)) tables.at(-1)?.rows.push(toCells(line))
    inTable = isRow
  }
  if (fence !== null) throw new Error(`The fence of line ${fence.line} is not closed.`)
  return { sections, blocks, tables }
}

function toCells(row: string): string[] {
  return row
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim())
}

/** A cell without the marks of code. */
export function plain(cell = ''): string {
  return cell.replaceAll('`', '')
}

/** The name by which a link finds a heading on GitHub. */
export function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replaceAll(' ', '-')
}
