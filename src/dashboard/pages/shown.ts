import type { Config } from '../../config/load-config.js'
import type { Snapshot } from '../../model/snapshot.js'
import type { Settings } from '../../service/settings.js'
import type { Editing } from '../api/editing.js'

/** What pages show of a deployment. */
export interface Shown {
  readonly config: Config
  readonly settings: Settings
  readonly current: () => Snapshot
  readonly editing: Editing
}
