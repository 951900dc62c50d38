import type { MenuDocument } from '../../document/menu-document.js'
import { judgeDocument } from '../../document/parse.js'
import type { MenuFile } from '../../model/menu-file.js'
import { buildSnapshot } from '../../model/snapshot.js'
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
    const inputs = { previous: null, folderProblems: [], off: reading.vocabulary.off, hash: contentHash }
    const snapshot = buildSnapshot({ files: all.map(judge), ...inputs })
    return { title, commit: null, state: { snapshot, documents } }
  }
  return buildReport({ base: toSide('before', before), head: toSide('after', after), unread: 0 }, options)
}
