import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { join, resolve } from 'node:path'
import { readIcons } from '../../config/icons.js'
import { readConfigBytes } from '../../config/input-files.js'
import type { Config } from '../../config/load-config.js'
import type { MenuDocument } from '../../document/menu-document.js'
import { isEqual } from '../../model/json.js'
import type { Snapshot } from '../../model/snapshot.js'
import { toCommitMessage } from '../../review/diff/commit-message.js'
import { compareDocuments } from '../../review/diff/documents.js'
import { menusFolderOf, readMenu } from '../../review/reading.js'
import { type Log, toReason } from '../../service/log.js'
import type { MenuService } from '../../service/menu-service.js'
import { NO_AUDIT, openAudit } from '../../store/audit.js'
import { createTally } from '../../store/audit-tally.js'
import { NO_DRAFTS } from '../../store/drafts/no-drafts.js'
import { openDrafts } from '../../store/drafts/open-drafts.js'
import { createCommitter } from '../../store/git/commit.js'
import { menuTreePath } from '../../store/git/commit-tree.js'
import { createGitCheck, isPulling } from '../../store/git/lock.js'
import { openRepository, type Repository } from '../../store/git/repository.js'
import { createUncommitted } from '../../store/git/uncommitted.js'
import { contentHash } from '../../store/hash.js'
import { createKnownDocuments, type KnownDocuments } from '../../store/known-documents.js'
import type { EditedStore } from '../../store/live/open-store.js'
import { removeStrays } from '../../store/publish/atomic-file.js'
import type { Published } from '../../store/publish/plan.js'
import { createPublisher, type PublisherDeps } from '../../store/publish/publish.js'
import type { Occasion } from '../../store/publish/queue.js'
import { NO_VERSIONS, openVersions } from '../../store/publish/versions.js'
import type { ReadOptions } from '../../store/read-options.js'
import {
  type ContinuedBranches,
  NOT_CONTINUED,
  openContinued,
} from '../../store/remote/continued-branches.js'
import { createRemotePublisher } from '../../store/remote/publish-remote.js'
import type { Remote } from '../../store/remote/remote.js'
import { openState, type State } from '../../store/state.js'
import { LOCAL_USER } from '../../store/user-names.js'
import { createEventStreams } from '../events.js'
import { createProposalDesk } from './proposal-desk.js'
import { shareDrafts } from './share-drafts.js'
import type { Workspace } from './workspace.js'

export interface WorkspaceInputs {
  readonly config: Config
  readonly service: MenuService
  readonly reading: ReadOptions
  readonly store: EditedStore
  /** The repository that the menus come from; null where they are in a folder. */
  readonly remote: Remote | null
  readonly log: Log
}

/** Milliseconds for one call of git: what hangs there must not stop all that comes after. */
const GIT_TIMEOUT_MS = 20_000
/** Milliseconds that a commit waits for earlier ones. */
const GIT_PATIENCE_MS = 10_000
/** Milliseconds that git gets for the commits of publishes that have begun when the service stops. */
const GIT_AT_END_MS = 5_000

/** Opens what changes the menus of a service. Where the state folder cannot be used, menus can be read all the same. */
export async function openWorkspace(inputs: WorkspaceInputs): Promise<Workspace> {
  const { config, reading, store, service, log } = inputs
  const { menusFolder: root, options } = config
  const menus = menusFolderOf(config)
  for (const folder of [root, config.stateFolder])
    for (const path of removeStrays(folder)) log.info('stray_removed', { path })
  const stopping = new AbortController()
  // Each call of git listens to it.
  setMaxListeners(0, stopping.signal)
  const limits = { timeout: GIT_TIMEOUT_MS, signal: stopping.signal }
  const { value: repository } = await openRepository(root, limits)
  const isGitBusy = createGitCheck(root)
  const documents = createKnownDocuments(reading.limits)
  const kept = openKept(config, documents, log)
  dropPublished(kept.drafts, store.current, (path) => readMenu(config, path, documents.read))
  const { locales: tags, chains } = service.settings
  const locales = chains.get(tags.defaultLocale) ?? [tags.defaultLocale]
  const compare = createCompare(inputs, locales)
  const uncommitted = repository && createUncommitted(repository, menus)
  store.onChange(() => uncommitted?.forget())
  const publishing = {
    ...{ ...menus, limits: reading.limits, read: documents.read, rules: options.lint.rules },
    ...{ store, versions: kept.versions, log },
  }
  const { remote } = inputs
  const committing =
    remote === null || config.remote === null
      ? null
      : {
          ...publishing,
          remote,
          committer: config.remote.committer,
          toMessage: async (files: readonly Published[], occasion: Occasion) =>
            toCommitMessage((await compare(files)).menus, files[0]?.path ?? '', occasion),
        }
  const publisher =
    committing !== null
      ? createRemotePublisher(committing)
      : createPublisher({
          ...publishing,
          toCommit: createCommit(inputs, repository, compare, () => uncommitted?.forget()),
          isGitBusy: (now) => isGitBusy(now) || isPulling(root),
        })
  const current = (): Snapshot => store.current
  const { onChange } = store
  const { connections } = options.limits
  const streams = createEventStreams({ current, onChange, drafts: kept.drafts, connections })
  const sync = shareDrafts(inputs, kept, documents, streams)
  return {
    ...kept,
    pullDrafts: sync.ready,
    tally: createTally(kept.audit),
    home: options.dashboard.path_prefix,
    settings: service.settings,
    ...{ config, service, log, documents, repository, locales, current, publisher, streams, store, compare },
    isGitBusy: () => isGitBusy(performance.now()),
    stop: () => {
      streams.close()
      setTimeout(() => stopping.abort(), GIT_AT_END_MS).unref()
    },
    close: async () => {
      await publisher.close()
      await sync.close()
    },
    proposals: committing && createProposalDesk(config, committing, kept.continued),
    icons: readIcons(service.settings, log),
    previewStyle: readPreviewStyle(config, log),
    uncommitted: async () => (await uncommitted?.find()) ?? null,
  }
}

/** Without the file, menus are previewed as a list. */
function readPreviewStyle({ options, base }: Config, log: Log): Uint8Array | null {
  const file = options.dashboard.preview_css
  if (!file?.startsWith('.')) return null
  try {
    return readConfigBytes(resolve(base, file))
  } catch (thrown) {
    log.warn('preview_css_unreadable', { file, reason: toReason(thrown) })
    return null
  }
}

/** A publish that was interrupted left a draft of what the file has by now: nothing is to be published any more. */
function dropPublished(
  drafts: Workspace['drafts'],
  { files }: Snapshot,
  read: (path: string) => MenuDocument | null,
): void {
  const versions = new Map(files.map(({ path, version }) => [path, version]))
  for (const { id, user, path, base, change, steps } of drafts.list()) {
    if (steps.position === 0 || versions.get(path) === contentHash(base.bytes)) continue
    const now = read(path)?.value ?? null
    if (now !== null && isEqual(change.value, now)) drafts.discard(id, user)
  }
}

/** Where drafts, replaced texts and the audit log are kept; nowhere where the state folder cannot be used. */
function openKept(
  { stateFolder, menusFolder, options }: Config,
  { read }: KnownDocuments,
  log: Log,
): Pick<Workspace, 'keeps' | 'serviceId' | 'drafts' | 'versions' | 'audit'> & {
  readonly state: State | null
  readonly continued: ContinuedBranches
} {
  let reason: string
  try {
    const { value: state, fault } = openState(stateFolder, menusFolder)
    if (state !== null)
      return {
        ...{ state, keeps: true },
        serviceId: state.keep('service-id', randomUUID),
        versions: openVersions(join(state.dir, 'versions'), Date.now),
        audit: openAudit(state.dir, log),
        continued: openContinued(state),
        drafts: openDrafts(join(state.dir, 'drafts'), options.limits, Date.now, read),
      }
    reason = fault
  } catch (thrown) {
    reason = toReason(thrown)
  }
  log.error('state_unusable', { reason })
  const nothing = { drafts: NO_DRAFTS, versions: NO_VERSIONS, audit: NO_AUDIT, continued: NOT_CONTINUED }
  return { state: null, keeps: false, serviceId: randomUUID(), ...nothing }
}

function createCompare(
  { config, service, reading, store }: WorkspaceInputs,
  chain: readonly string[],
): Workspace['compare'] {
  const { rules } = config.options.lint
  const locale = service.settings.locales.defaultLocale
  const options = { rules, locale, chain, viewer: null, code: null, fileOf: (path: string) => path }
  return (files) =>
    compareDocuments(
      files.flatMap(({ before }) => before ?? []),
      files.flatMap(({ after }) => after ?? []),
      reading,
      options,
      store.judge,
    )
}

function createCommit(
  { config }: WorkspaceInputs,
  repository: Repository | null,
  compare: Workspace['compare'],
  onCommit: () => void,
): PublisherDeps['toCommit'] {
  if (repository === null || config.options.git.commit === 'off') return async () => async () => null
  const commit = createCommitter(repository, GIT_PATIENCE_MS)
  return async (files, author, occasion) => {
    const inTree = new Map(
      files.flatMap(({ path }) => {
        const treePath = menuTreePath(repository, menusFolderOf(config), path)
        return treePath === null ? [] : [[treePath, path] as const]
      }),
    )
    const paths = [...inTree.keys()]
    const [first] = paths
    if (first === undefined) return () => Promise.resolve(ELSEWHERE)
    const message = toCommitMessage((await compare(files)).menus, first, occasion)
    const request = { paths, message, author: author === LOCAL_USER ? null : { name: author, email: null } }
    return (isOurs) =>
      commit({ ...request, isOurs: (path) => isOurs(inTree.get(path) ?? '') }).finally(onCommit)
  }
}

const ELSEWHERE = { kind: 'uncommitted', reason: 'the menus folder is not in the repository' } as const
