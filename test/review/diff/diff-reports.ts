import { readDocument } from '../../../src/document/menu-document.js'
import { buildReport, type ReportOptions } from '../../../src/review/diff/build.js'
import type { DiffReport } from '../../../src/review/diff/report.js'
import type { MenuState } from '../../../src/store/git/compare-trees.js'
import { DEFAULT_LIMITS } from '../../support/limits.js'
import { snapshotOf } from '../../support/snapshot-of.js'

type Files = Readonly<Record<string, string>>

function stateOf(files: Files): MenuState {
  const documents = Object.entries(files).map(
    ([path, text]) => [path, readDocument(path, new TextEncoder().encode(text), DEFAULT_LIMITS)] as const,
  )
  return { snapshot: snapshotOf(files), documents: new Map(documents) }
}

export const REPORT_OPTIONS: ReportOptions = {
  rules: {},
  locale: 'en',
  chain: ['en', 'es'],
  viewer: null,
  code: null,
  fileOf: (path) => `menus/${path}`,
}

/** What changed between two folders of menus. */
export function reportOf(before: Files, after: Files, options: Partial<ReportOptions> = {}): DiffReport {
  const sides = {
    base: { title: 'main (1a2b3c4)', commit: '1a2b3c4', state: stateOf(before) },
    head: { title: 'the work tree', commit: null, state: stateOf(after) },
    unread: 0,
  }
  return buildReport(sides, { ...REPORT_OPTIONS, ...options })
}

/** What changed in a file of one menu. */
export function changeOf(
  before: readonly unknown[],
  after: readonly unknown[],
  options: Partial<ReportOptions> = {},
): DiffReport {
  return reportOf({ 'a.yaml': menuOf(before) }, { 'a.yaml': menuOf(after) }, options)
}

/** The items called out in a report, each with the number of those below it. */
export function calledIn(items: DiffReport['seenByMore']): unknown {
  return items.map(({ name, below }) => [name, below])
}

/** The file of a menu with these items, as JSON. */
export function menuOf(items: readonly unknown[], more: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ version: 1, code: 'main', name: 'Main', ...more, items }, null, 2)
}
