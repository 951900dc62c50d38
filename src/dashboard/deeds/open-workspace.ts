import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { join } from 'node:path'
import { readIcons } from '../../config/icons.js'
import type { Config } from '../../config/load-config.js'
import { failed } from '../../model/result.js'
import type { Snapshot } from '../../model/snapshot.js'
import { toCommitMessage } from '../../review/diff/commit-message.js'
import { compareDocuments } from '../../review/diff/documents.js'
import { menusFolderOf } from '../../review/reading.js'
import { type Log, toReason } from '../../service/log.js'
import type { MenuService } from '../../service/menu-service.js'
import { NO_AUDIT, openAudit } from '../../store/audit.js'
import { createTally } from '../../store/audit-tally.js'
import { NO_DRAFTS, openDrafts } from '../../store/drafts/open-drafts.js'
import { type CommitRequest, createCommitter } from '../../store/git/commit.js'
import { menuTreePath } from '../../store/git/commit-tree.js'
import { createGitCheck } from '../../store/git/lock.js'
import { openRepository, type Repository } from '../../store/git/repository.js'
import { createUncommitted } from '../../store/git/uncommitted.js'
import { createKnownDocuments, type KnownDocuments } from '../../store/known-documents.js'
import type { EditedStore } from '../../store/live/open-store.js'
import type { Published } from '../../store/publish/plan.js'
import {
  createPublisher,
  type Occasion,
  type Publisher,
  type PublisherDeps,
} from '../../store/publish/publish.js'
import { removeStrays } from '../../store/publish/put-file.js'
import { NO_VERSIONS, openVersions } from '../../store/publish/versions.js'
import type { ReadOptions } from '../../store/read-options.js'
import { openState } from '../../store/state.js'
import { LOCAL_USER } from '../../store/user-names.js'
import { createEventStreams } from '../events.js'
import type { Workspace } from './workspace.js'

export interface WorkspaceInputs {
  readonly config: Config
  readonly service: MenuService
  readonly reading: ReadOptions
  readonly store: EditedStore
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
  const { versions, drafts, audit } = kept ?? NOTHING_KEPT
  const compare = createCompare(inputs)
  const toCommitOf = createCommit(inputs, repository, compare)
  const uncommitted = repository && createUncommitted(repository, menus)
  store.onChange(() => uncommitted?.forget())
  const publisher = createPublisher({
    ...menus,
    limits: reading.limits,
    read: documents.read,
    rules: options.lint.rules,
    store,
    versions,
    toCommit: async (files, author, occasion) => {
      const commit = await toCommitOf(files, author, occasion)
      return (isOurs) => commit(isOurs).finally(() => uncommitted?.forget())
    },
    isGitBusy,
    log,
  })
  const { locales: defaults, chains } = service.settings
  const locales = chains.get(defaults.defaultLocale) ?? [defaults.defaultLocale]
  const current = (): Snapshot => store.current
  const { onChange } = store
  const { connections } = options.limits
  const streams = createEventStreams({ current, onChange, drafts, connections })
  return {
    tally: createTally(audit),
    home: options.dashboard.path_prefix,
    settings: service.settings,
    serviceId: kept?.serviceId ?? randomUUID(),
    ...{ config, service, log, drafts, documents, versions, audit, repository, defaults, locales, current },
    isGitBusy: () => isGitBusy(performance.now()),
    publisher: kept === null ? toReading(publisher) : publisher,
    stop: () => {
      streams.close()
      setTimeout(() => stopping.abort(), GIT_AT_END_MS).unref()
    },
    keeps: kept !== null,
    icons: readIcons(config, log),
    streams,
    store,
    compare,
    uncommitted: async () => (await uncommitted?.find()) ?? null,
  }
}

type Kept = Pick<Workspace, 'drafts' | 'versions' | 'audit'>

const NOTHING_KEPT: Kept = { drafts: NO_DRAFTS, versions: NO_VERSIONS, audit: NO_AUDIT }

/** Where drafts, replaced texts and the audit log are kept; null where the state folder cannot be used. */
function openKept(
  { stateFolder, menusFolder, options }: Config,
  { read }: KnownDocuments,
  log: Log,
): (Kept & Pick<Workspace, 'serviceId'>) | null {
  try {
    const { value: state, fault: reason } = openState(stateFolder, menusFolder)
    if (state !== null)
      return {
        serviceId: state.keep('service-id', randomUUID),
        versions: openVersions(join(state.dir, 'versions'), Date.now),
        audit: openAudit(state.dir, log),
        drafts: openDrafts(join(state.dir, 'drafts'), options.limits, Date.now, read),
      }
    log.error('state_unusable', { reason })
  } catch (thrown) {
    log.error('state_unusable', { reason: toReason(thrown) })
  }
  return null
}

/** A publisher that only judges: a text that cannot be kept must not be replaced. */
function toReading(publisher: Publisher): Publisher {
  const what = 'no replaced text can be kept'
  return {
    ...publisher,
    publish: async (edits, request) =>
      request.isDry
        ? publisher.publish(edits, request)
        : failed({ reason: 'read-only', path: edits[0]?.path ?? '', what }),
  }
}

function createCompare({ config, service, reading, store }: WorkspaceInputs): Workspace['compare'] {
  const { chains, locales } = service.settings
  const locale = locales.defaultLocale
  const options = {
    rules: config.options.lint.rules,
    locale,
    chain: chains.get(locale) ?? [locale],
    viewer: null,
    code: null,
    fileOf: (path: string) => path,
  }
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
): PublisherDeps['toCommit'] {
  if (repository === null || config.options.git.commit === 'off') return async () => async () => null
  const commit = createCommitter(repository, GIT_PATIENCE_MS)
  return async (files, author, occasion) => {
    const request = await toCommitRequest(repository, config, compare, { files, author, occasion })
    if (request === null) return () => Promise.resolve(ELSEWHERE)
    const { files: own, ...parts } = request
    return (isOurs) =>
      commit({ ...parts, paths: [...own.keys()], isOurs: (path) => isOurs(own.get(path) ?? '') })
  }
}

const ELSEWHERE = { kind: 'uncommitted', reason: 'the menus folder is not in the repository' } as const

interface Committing {
  readonly files: readonly Published[]
  readonly author: string
  readonly occasion: Occasion
}

/** A request with the paths in the menus folder, by those in the work tree; null for files outside the repository. */
async function toCommitRequest(
  repository: Repository,
  config: Config,
  compare: Workspace['compare'],
  { files, author, occasion }: Committing,
): Promise<
  (Pick<CommitRequest, 'author' | 'message'> & { readonly files: ReadonlyMap<string, string> }) | null
> {
  const inTree = files.flatMap(({ path }) => {
    const treePath = menuTreePath(repository, menusFolderOf(config), path)
    return treePath === null ? [] : [[treePath, path] as const]
  })
  const first = inTree[0]?.[0]
  if (first === undefined) return null
  return {
    files: new Map(inTree),
    author: author === LOCAL_USER ? null : { name: author, email: null },
    message: toCommitMessage((await compare(files)).menus, first, occasion),
  }
}
