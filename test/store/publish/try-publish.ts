// Loaded by tests with a file system that fails, too.
import { join } from 'node:path'
import { judgeDocument } from '../../../src/document/parse.js'
import { buildSnapshot } from '../../../src/model/snapshot.js'
import { SILENT_LOG } from '../../../src/service/log.js'
import { type Drafts, openDrafts } from '../../../src/store/drafts/open-drafts.js'
import { contentHash } from '../../../src/store/hash.js'
import { createKnownDocuments } from '../../../src/store/known-documents.js'
import { createPublisher, type Publisher } from '../../../src/store/publish/publish.js'
import { removeStrays } from '../../../src/store/publish/strays.js'
import { openVersions, type Versions } from '../../../src/store/publish/versions.js'
import { DEFAULT_LIMITS } from '../../support/limits.js'
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
  const versions = openVersions(join(dir, 'state/versions'), Date.now, { age: DAY_MS, bytes: 20_000 })
  const drafts = openDrafts(join(dir, 'state/drafts'), DEFAULT_LIMITS, Date.now)
  const publisher = createPublisher({
    root,
    limits: DEFAULT_LIMITS,
    read: createKnownDocuments(DEFAULT_LIMITS).read,
    filePrefix: '',
    rules: {},
    store: {
      judge: (document) => judgeDocument(document, options),
      snapshotWith: (judged) =>
        buildSnapshot({
          files: [...judged.values()].filter((file) => file !== null),
          previous: null,
          folderProblems: [],
          hash: contentHash,
        }),
      takeOver: (_, write) => write(),
    },
    versions,
    toCommit: () => async () => null,
    isGitBusy: () => false,
    log: SILENT_LOG,
  })
  return { versions, drafts, publisher }
}
