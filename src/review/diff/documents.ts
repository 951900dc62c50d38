import type { MenuDocument } from '../../document/menu-document.js'
import { judgeDocument } from '../../document/parse.js'
import type { MenuFile } from '../../model/menu-file.js'
import { contentHash } from '../../store/hash.js'
import { load, NOTHING } from '../../store/load.js'
import { withEdits } from '../../store/menu-tree.js'
import type { ReadOptions } from '../../store/read-options.js'
import { buildReport, type ReportOptions } from './build.js'
import type { DiffReport } from './report.js'
import type { ComparedState } from './states.js'

/**
 * Compares some documents with what becomes of them; one that is on one side only is new or gone.
 *
 * @param judge what is served of a document; without it, each is judged here
 */
export async function compareDocuments(
  before: readonly MenuDocument[],
  after: readonly MenuDocument[],
  reading: ReadOptions,
  options: ReportOptions,
  judge: (document: MenuDocument) => MenuFile = (document) =>
    judgeDocument(document, { ...reading, hash: contentHash }),
): Promise<DiffReport> {
  const toState = async (title: string, all: readonly MenuDocument[]): Promise<ComparedState> => {
    const documents = new Map(all.map((document) => [document.path, document]))
    const tree = withEdits({ entries: new Map(), read: async function* () {} }, documents)
    const parse = (path: string): MenuFile => judge(documents.get(path) as MenuDocument)
    const { snapshot } = await load(tree, NOTHING, { parse, off: reading.vocabulary.off })
    return { title, commit: null, state: { snapshot, documents } }
  }
  const [base, head] = [await toState('before', before), await toState('after', after)]
  return buildReport({ base, head, unread: 0 }, options)
}
