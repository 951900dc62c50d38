import type { RemotePlace } from '../../../src/store/remote/clone.js'
import { openRemote, type Remote } from '../../../src/store/remote/remote.js'
import { createEventLog, type LoggedEvent } from '../../service/services.js'
import { createLargeFolder, type MenusFolder } from '../../support/menus-folder.js'
import { closing } from '../../support/test.js'

/** A folder for clones, that goes with the test. */
export function folderForClones(): MenusFolder {
  return closing(createLargeFolder())
}

/** The place of a clone in a folder; `path` is `menus`. */
export function placeIn(
  { dir }: MenusFolder,
  place: Partial<RemotePlace> & { readonly url: string },
): RemotePlace {
  return {
    branch: 'main',
    folder: `${dir}/clone`,
    path: 'menus',
    hasHistory: true,
    tokenFile: null,
    keyFile: null,
    knownHosts: `${dir}/known_hosts`,
    ...place,
  }
}

/** An attempt to open a remote: why it failed, or the remote, which is closed with the test. */
export interface Attempt {
  readonly fault: string | null
  readonly remote: Remote | null
  readonly events: readonly LoggedEvent[]
}

export async function attempt(place: RemotePlace): Promise<Attempt> {
  const { log, events } = createEventLog()
  const { value: remote, fault } = await openRemote(place, { seconds: 3_600, log })
  if (remote !== null) closing(remote)
  return { fault: fault?.reason ?? null, remote, events }
}

/** The same, where it must not fail. */
export async function opened(place: RemotePlace): Promise<Remote> {
  const { remote, fault } = await attempt(place)
  if (remote === null) throw new Error(fault ?? '')
  return remote
}
