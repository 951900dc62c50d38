import type { MenuDocument } from '../../document/menu-document.js'
import { judgeDocument } from '../../document/parse.js'
import type { MenuFile } from '../../model/menu-file.js'
import { toState } from '../../store/git/menus.js'
import { contentHash } from '../../store/hash.js'
import type { ReadOptions } from '../../store/read-options.js'
import { buildReport, type ReportOptions } from './build.js'
import type { DiffReport } from './report.js'
import type { Side } from './sides.js'

/**
 * Compares some documents with what becomes of them; one that is on one side only is new or gone.
 *
 * @param judge what is served of a document; without it, each is judged here
 */
export function compareDocuments(
  before: readonly MenuDocument[],
  after: readonly MenuDocument[],
  reading: ReadOptions,
  options: ReportOptions,
  judge: (document: MenuDocument) => MenuFile = (document) =>
    judgeDocument(document, { ...reading, hash: contentHash }),
): DiffReport {
  const toSide = (title: string, all: readonly MenuDocument[]): Side => {
    const documents = new Map(all.map((document) => [document.path, document]))
    return { title, commit: null, state: toState([{ documents, files: all.map(judge) }], reading) }
  }
  return buildReport({ base: toSide('before', before), head: toSide('after', after), unread: 0 }, options)
}
