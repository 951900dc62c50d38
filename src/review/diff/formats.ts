import { toPlainJson } from '../../model/plain-json.js'
import type { Paint } from '../ink.js'
import { toDiffHtml } from './html.js'
import { toDiffMarkdown } from './markdown.js'
import { type DiffFormat, type DiffReport, toDiffJson } from './report.js'
import { toDiffText } from './text.js'

/** Writes a report in one of the forms, without a line break at its end. */
export const DIFF_WRITERS: Readonly<Record<DiffFormat, (report: DiffReport, paint: Paint) => string>> = {
  text: toDiffText,
  markdown: toDiffMarkdown,
  json: (report) => toPlainJson(toDiffJson(report), 2),
  html: toDiffHtml,
}
