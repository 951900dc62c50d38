import { join } from 'node:path'
import { applyOperations } from '../../../src/change/operations/apply.js'
import type { Operation } from '../../../src/change/operations/operation.js'
import { type MenuDocument, readDocument } from '../../../src/document/menu-document.js'
import { SILENT_LOG } from '../../../src/service/log.js'
import type { Rules } from '../../../src/service/project-rules.js'
import { createGitCheck } from '../../../src/store/git/lock.js'
import { createKnownDocuments } from '../../../src/store/known-documents.js'
import type { Edit } from '../../../src/store/publish/plan.js'
import { createPublisher } from '../../../src/store/publish/publish.js'
import type { Publisher } from '../../../src/store/publish/queue.js'
import { openVersions, type Versions } from '../../../src/store/publish/versions.js'
import { DEFAULT_LIMITS } from '../../support/limits.js'
import { createMenusFolder, menusIn } from '../../support/menus-folder.js'
import { type Opened, opened } from '../opening.js'

export interface Publishing extends Opened {
  readonly publisher: Publisher
  readonly versions: Versions
}

export interface PublishingOptions {
  readonly rules?: Rules
  readonly filePrefix?: string
  /** Called once a publish has read its files, and before it writes them. */
  readonly onPlanned?: (dir: string) => void
  /** Called where a commit would be made of them. */
  readonly onCommit?: (dir: string, isOurs: (path: string) => boolean) => void
}

/** Opens a publisher over a new folder with these files; all is gone behind the test. */
export async function publishing(
  files: Readonly<Record<string, string | Uint8Array>>,
  test: (publishing: Publishing) => Promise<void>,
  { rules = {}, filePrefix = '', onPlanned = () => {}, onCommit = () => {} }: PublishingOptions = {},
): Promise<void> {
  const state = createMenusFolder()
  await opened(
    files,
    async (opening) => {
      const { folder, store } = opening
      const versions = openVersions(join(state.dir, 'versions'), Date.now)
      const publisher = createPublisher({
        ...menusIn(folder.dir, filePrefix),
        limits: DEFAULT_LIMITS,
        read: createKnownDocuments(DEFAULT_LIMITS).read,
        rules,
        store,
        versions,
        toCommit: async () => {
          onPlanned(folder.dir)
          return async (isOurs) => {
            onCommit(folder.dir, isOurs)
            return null
          }
        },
        isGitBusy: createGitCheck(folder.dir),
        log: SILENT_LOG,
      })
      await test({ ...opening, publisher, versions })
      await publisher.close()
    },
    { filePrefix },
  )
  state.close()
}

export function documentOf(path: string, text: string): MenuDocument {
  return readDocument(path, Buffer.from(text), DEFAULT_LIMITS)
}

/** An edit by operations on a text that was read. */
export function editOf(path: string, text: string, ...operations: readonly Operation[]): Edit {
  const base = documentOf(path, text)
  const { value: change, fault } = applyOperations(base.value ?? {}, operations)
  if (fault !== null) throw new Error(fault.reason)
  return { kind: 'change', path, base, change }
}

export const ANA = { author: 'ana' }
