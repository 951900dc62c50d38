import { join } from 'node:path'
import type { Config } from '../../config/load-config.js'
import type { Snapshot } from '../../model/snapshot.js'
import { toCommitMessage } from '../../review/diff/commit-message.js'
import { compareDocuments } from '../../review/diff/documents.js'
import type { Log } from '../../service/log.js'
import type { Settings } from '../../service/settings.js'
import { openAudit } from '../../store/audit.js'
import { openDrafts } from '../../store/drafts/open-drafts.js'
import { commitFiles } from '../../store/git/commit.js'
import { createGitCheck } from '../../store/git/lock.js'
import { openRepository, type Repository, toTreePath } from '../../store/git/repository.js'
import { createUncommitted } from '../../store/git/uncommitted.js'
import type { EditedStore } from '../../store/live/open-store.js'
import type { Published } from '../../store/publish/plan.js'
import { createPublisher, type PublisherDeps } from '../../store/publish/publish.js'
import { removeStrays } from '../../store/publish/strays.js'
import { openVersions } from '../../store/publish/versions.js'
import type { ReadOptions } from '../../store/read-options.js'
import type { State } from '../../store/state.js'
import type { Editing } from './editing.js'
import { createEventStreams } from './events.js'

export interface EditingInputs {
  readonly config: Config
  readonly settings: Settings
  readonly reading: ReadOptions
  readonly store: EditedStore
  readonly state: State
  readonly log: Log
}

/** Opens what changes the menus of a service. Throws file system errors where the state folder cannot be used. */
export async function openEditing(inputs: EditingInputs): Promise<Editing> {
  const { config, reading, store, state, log } = inputs
  const { menusFolder: root, options } = config
  for (const path of removeStrays(root)) log.info('stray_removed', { path })
  const { value: repository } = await openRepository(root)
  const versions = openVersions(join(state.dir, 'versions'), Date.now)
  const drafts = openDrafts(join(state.dir, 'drafts'), options.limits, Date.now)
  const publisher = createPublisher({
    root,
    limits: reading.limits,
    filePrefix: options.storage.file_prefix,
    rules: options.lint.rules,
    store,
    versions,
    toCommit: createCommit(inputs, repository),
    isGitBusy: createGitCheck(root),
    log,
  })
  const { locales: defaults, chains } = inputs.settings
  const locales = chains.get(defaults.defaultLocale) ?? [defaults.defaultLocale]
  const audit = openAudit(state.dir)
  const current = (): Snapshot => store.current
  const { onChange } = store
  const { connections } = options.limits
  const streams = createEventStreams({ current, onChange, drafts, connections })
  const parts = { config, publisher, drafts, versions, repository, defaults, locales, audit, log }
  const uncommitted =
    repository === null ? async () => null : createUncommitted(repository, root, options.storage.file_prefix)
  return { ...parts, current, streams, uncommitted }
}

function createCommit(inputs: EditingInputs, repository: Repository | null): PublisherDeps['toCommit'] {
  const isOff = inputs.config.options.git.commit === 'off'
  if (repository === null || isOff) return () => async () => null
  return (files, author) => toCommit(repository, inputs, files, author)
}

function toCommit(
  repository: Repository,
  { config, settings, reading, store }: EditingInputs,
  files: readonly Published[],
  author: string,
): ReturnType<PublisherDeps['toCommit']> {
  const inTree = files.flatMap(({ path, after }): [string, Uint8Array | null][] => {
    const treePath = toTreePath(repository, join(config.menusFolder, path))
    return treePath === null ? [] : [[treePath, after?.bytes ?? null]]
  })
  const [[first = ''] = []] = inTree
  if (first === '')
    return async () => ({ kind: 'uncommitted', reason: 'the menus folder is not in the repository' })
  const { chains, locales } = settings
  const report = compareDocuments(
    files.flatMap(({ before }) => before ?? []),
    files.flatMap(({ after }) => after ?? []),
    reading,
    {
      rules: config.options.lint.rules,
      locale: locales.defaultLocale,
      chain: chains.get(locales.defaultLocale) ?? [locales.defaultLocale],
      viewer: null,
      code: null,
      fileOf: (path) => path,
    },
    store.judge,
  )
  const request = {
    files: new Map(inTree),
    author: { name: author, email: null },
    message: toCommitMessage(report.menus, first, { kind: 'edit' }),
  }
  return () => commitFiles(repository, request)
}
