import type { Paint } from '../ink.js'
import { toPlainJson } from '../plain-json.js'
import { toDiffHtml } from './html.js'
import { toDiffMarkdown } from './markdown.js'
import { type DiffFormat, type DiffReport, toDiffJson } from './report.js'
import { toDiffText } from './text.js'

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
