// Loaded by tests with a file system that fails.
export { readDocument } from '../../../src/document/menu-document.js'
export { judgeDocument } from '../../../src/document/parse.js'
export { buildSnapshot } from '../../../src/model/snapshot.js'
export { openDrafts } from '../../../src/store/drafts/open-drafts.js'
export { contentHash } from '../../../src/store/hash.js'
export { createPublisher } from '../../../src/store/publish/publish.js'
export { removeStrays } from '../../../src/store/publish/strays.js'
export { openVersions } from '../../../src/store/publish/versions.js'
