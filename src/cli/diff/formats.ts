import { toPlainJson } from '../plain-json.js'
import type { Paint } from '../terminal.js'
import { toDiffHtml } from './html.js'
import { toDiffJson } from './json.js'
import { toDiffMarkdown } from './markdown.js'
import type { DiffReport } from './report.js'
import { toDiffText } from './text.js'

export type DiffFormat = 'text' | 'markdown' | 'json' | 'html'
export const DIFF_FORMATS: readonly DiffFormat[] = ['text', 'markdown', 'json', 'html']

/** A report in one of the forms, without a line break at its end. */
export function formatDiff(report: DiffReport, format: DiffFormat, paint: Paint): string {
  switch (format) {
    case 'text':
      return toDiffText(report, paint)
    case 'markdown':
      return toDiffMarkdown(report)
    case 'json':
      return toPlainJson(toDiffJson(report), 2)
    case 'html':
      return toDiffHtml(report)
  }
}
