import { toVisible, widthOf } from '../document/source.js'

export interface TableOptions {
  /** The most characters for each column; the last one has no limit. */
  readonly limits?: readonly number[]
  /** Colours for a cell, by its column and row. */
  readonly paint?: (cell: string, column: number, row: number) => string
}

/** Rows of cells as lines, each column as wide as its widest cell; a column that is empty everywhere is left out. */
export function toTable(
  rows: readonly (readonly string[])[],
  { limits = [], paint = (cell) => cell }: TableOptions = {},
): readonly string[] {
  const cells = rows.map((row) => row.map((cell, column) => shorten(toVisible(cell), limits[column])))
  const columns = [...(cells[0] ?? []).keys()]
  const widths = columns.map((column) => Math.max(...cells.map((row) => widthOf(row[column] ?? ''))))
  const shown = columns.filter((column) => widths[column] !== 0)
  return cells.map((row, place) =>
    shown
      .map((column) => {
        const cell = row[column] ?? ''
        const blanks = column === shown.at(-1) ? 0 : (widths[column] ?? 0) - widthOf(cell)
        return paint(cell + ' '.repeat(blanks), column, place)
      })
      .join('  '),
  )
}

/** A text cut to a number of visible characters. */
export function shorten(text: string, limit: number = Number.POSITIVE_INFINITY): string {
  const characters = [...text]
  return characters.length > limit ? `${characters.slice(0, limit - 1).join('')}…` : text
}
