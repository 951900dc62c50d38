import { join } from 'node:path'
import type { Config } from '../../config/load-config.js'
import { menusFolderOf } from '../../review/reading.js'
import type { Log } from '../../service/log.js'
import type { Drafts } from '../../store/drafts/open-drafts.js'
import { createDraftReader } from '../../store/drafts/read-draft.js'
import type { KnownDocuments } from '../../store/known-documents.js'
import { judgeMenuPath } from '../../store/menu-paths.js'
import { createDraftMirror } from '../../store/remote/draft-mirror.js'
import { createDraftSync, type DraftSync } from '../../store/remote/draft-sync.js'
import { openKnownRefs } from '../../store/remote/known-refs.js'
import type { Remote } from '../../store/remote/remote.js'
import type { State } from '../../store/state.js'
import type { EventStreams } from '../events.js'

/** Shares drafts with the other services of a remote, if that is wanted. */
export function shareDrafts(
  { config, remote, log }: { readonly config: Config; readonly remote: Remote | null; readonly log: Log },
  { drafts, state }: { readonly drafts: Drafts; readonly state: State | null },
  { read }: KnownDocuments,
  streams: EventStreams,
): Pick<DraftSync, 'ready' | 'close'> {
  const { remote: place, options } = config
  if (remote === null || place === null || !place.hasDrafts || state === null)
    return { ready: async () => {}, close: async () => {} }
  const { limits } = options
  const menus = menusFolderOf(config)
  const mirror = createDraftMirror({
    ...{ remote, limits, log },
    folder: join(state.dir, 'drafts'),
    known: openKnownRefs(state, place.url),
    reader: createDraftReader(limits, read),
    isMenu: (path) => judgeMenuPath(menus, path) === null,
  })
  const sync = createDraftSync({
    ...{ mirror, log, seconds: place.seconds },
    isWatched: () => streams.count() > 0,
    onChange: streams.noteDrafts,
  })
  drafts.onChange(sync.note)
  return { ready: sync.ready, close: sync.close }
}
