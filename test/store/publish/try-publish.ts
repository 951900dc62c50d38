// Loaded by tests with a file system that fails, too.
import { join } from 'node:path'
import { judgeDocument, parseMenuFile } from '../../../src/document/parse.js'
import { SILENT_LOG } from '../../../src/service/log.js'
import { type Drafts, openDrafts } from '../../../src/store/drafts/open-drafts.js'
import { contentHash } from '../../../src/store/hash.js'
import { createKnownDocuments } from '../../../src/store/known-documents.js'
import { load, NOTHING } from '../../../src/store/load.js'
import { withEdits } from '../../../src/store/menu-tree.js'
import { removeStrays } from '../../../src/store/publish/atomic-file.js'
import { createPublisher } from '../../../src/store/publish/publish.js'
import type { Publisher } from '../../../src/store/publish/queue.js'
import { openVersions, type Versions } from '../../../src/store/publish/versions.js'
import { DEFAULT_LIMITS } from '../../support/limits.js'
import { menusIn } from '../../support/menus-folder.js'
import { readerOf } from '../opening.js'

/** What writes in a menus folder and its state. */
export interface Parts {
  readonly versions: Versions
  readonly drafts: Drafts
  readonly publisher: Publisher
}

const DAY_MS = 86_400_000

/** Opens `menus` and `state` of a folder, as a start does; a few versions are kept. */
export function openParts(dir: string): Parts {
  const root = join(dir, 'menus')
  removeStrays(root)
  const options = { ...readerOf(), hash: contentHash }
  const versions = openVersions(join(dir, 'state/versions'), Date.now, {
    age: DAY_MS,
    bytes: 20_000,
    count: 100,
  })
  const drafts = openDrafts(join(dir, 'state/drafts'), DEFAULT_LIMITS, Date.now)
  const publisher = createPublisher({
    ...menusIn(root),
    limits: DEFAULT_LIMITS,
    read: createKnownDocuments(DEFAULT_LIMITS).read,
    rules: {},
    store: {
      judge: (document) => judgeDocument(document, options),
      loadWith: async (edits) => {
        const parse = (path: string, bytes: Uint8Array) => parseMenuFile(path, bytes, options)
        const tree = withEdits({ entries: new Map(), read: async function* () {} }, edits)
        return (await load(tree, NOTHING, { parse })).snapshot
      },
      write: (_, write) => write(),
    },
    versions,
    toCommit: async () => async () => null,
    isGitBusy: () => false,
    log: SILENT_LOG,
  })
  return { versions, drafts, publisher }
}
