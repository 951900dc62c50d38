import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isList, isMap, type Json } from '../../../src/model/json.js'
import { type Drafts, openDrafts } from '../../../src/store/drafts/open-drafts.js'
import { createDraftReader, type Draft } from '../../../src/store/drafts/read-draft.js'
import { createKnownDocuments } from '../../../src/store/known-documents.js'
import { judgeNames } from '../../../src/store/menu-paths.js'
import { createDraftMirror, type DraftMirror } from '../../../src/store/remote/draft-mirror.js'
import { openKnownRefs } from '../../../src/store/remote/known-refs.js'
import { openRemote } from '../../../src/store/remote/remote.js'
import { openState } from '../../../src/store/state.js'
import { createEventLog, type LoggedEvent } from '../../service/services.js'
import type { Hub } from '../../support/hub.js'
import { DEFAULT_LIMITS } from '../../support/limits.js'
import { createLargeFolder } from '../../support/menus-folder.js'

/** The drafts of one service on a hub, which are pulled and pushed when a test says so. */
export interface Replica {
  readonly drafts: Drafts
  readonly mirror: DraftMirror
  /** The folder of the drafts. */
  readonly folder: string
  readonly events: readonly LoggedEvent[]
  /** Pushes all that waits; gives the fault. */
  readonly push: () => Promise<string | null>
  /** Pulls; gives the fault. */
  readonly pull: () => Promise<string | null>
  /** Opens the same folders again, as after a crash. */
  readonly restart: () => Promise<Replica>
  readonly close: () => Promise<void>
}

export async function openReplica(hub: Hub): Promise<Replica> {
  const own = createLargeFolder()
  const { value: state } = openState(join(own.dir, 'state'), join(own.dir, 'menus'))
  if (state === null) throw new Error('no state')
  const folder = join(state.dir, 'drafts')
  const place = {
    ...{ url: hub.url, branch: 'main', path: '', hasHistory: true, folder: join(own.dir, 'clone') },
    ...{ tokenFile: null, keyFile: null, knownHosts: join(own.dir, 'known_hosts') },
  }
  const open = async (): Promise<Replica> => {
    const { log, events } = createEventLog()
    const { value: remote, fault } = await openRemote(place, { seconds: 30, log })
    if (fault !== null) throw new Error(fault.reason)
    const { read } = createKnownDocuments(DEFAULT_LIMITS)
    const kept = openDrafts(folder, DEFAULT_LIMITS, Date.now, read)
    const mirror = createDraftMirror({
      ...{ remote, folder, log, limits: DEFAULT_LIMITS },
      known: openKnownRefs(state, hub.url),
      reader: createDraftReader(DEFAULT_LIMITS, read),
      isMenu: (path) => judgeNames(path) === null,
    })
    kept.onChange((name) => void mirror.waiting.add(name))
    return {
      ...{ mirror, folder, events },
      restart: async () => {
        // A clone belongs to one process at a time, which has ended by then.
        await remote.close()
        return open()
      },
      close: async () => {
        await remote.close()
        own.close()
      },
      drafts: kept,
      push: async () => (await mirror.push([...mirror.waiting])).fault,
      pull: async () => (await mirror.pull()).fault,
    }
  }
  return open()
}

/** The labels of the items that a draft has at its top. */
export function labelsIn(draft: Pick<Draft, 'change'> | null | undefined): readonly Json[] {
  const value = draft?.change.value
  const items = isMap(value) ? value['items'] : null
  return isList(items) ? items.map((item) => (isMap(item) && item['label']) || null) : []
}

/** The journals that were put aside. */
export function asideIn({ folder }: Replica): readonly string[] {
  const names = readdirSync(folder).filter((name) => name.startsWith('unread-'))
  return names.map((name) => readFileSync(join(folder, name, 'journal'), 'utf8'))
}
