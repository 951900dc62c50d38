import { findItem } from '../../change/actions/action.js'
import { matchMenus } from '../../change/compare/match.js'
import { ownOf } from '../../change/items.js'
import { isEqual, type JsonMap } from '../../model/json.js'
import { type BlameStart, blameItems } from '../../review/history/menu-blame.js'
import { createMenuHistory, scopeOf } from '../../review/history/menu-history.js'
import { menusFolderOf } from '../../review/reading.js'
import { menuTreePath } from '../../store/git/commit-tree.js'
import { GitError } from '../../store/git/process.js'
import { must, toLine, toTreePath } from '../../store/git/repository.js'
import { nextTurn } from '../../store/pause.js'
import { needMenu, type Workspace } from './workspace.js'

/** Who changed an item last, when, in milliseconds since 1970, and what their commit says of it, if there is one. */
export interface LastChange {
  readonly user: string
  readonly time: number
  readonly subject: string | null
}

/** Milliseconds for the search through a history, and replaced texts that are searched. */
const PATIENCE_MS = 5_000
const MOST_TEXTS = 50

/**
 * Who changed an item of the file last: as `menuscript blame` finds it where it is committed, else by the texts that publishes
 * replaced. Null where neither says it.
 */
export async function lastChangeOf(
  workspace: Workspace,
  file: string,
  pointer: string,
): Promise<LastChange | null> {
  const { value } = needMenu(workspace, file)
  try {
    const committed = await fromCommits(workspace, file, value, pointer)
    if (committed !== null) return committed
  } catch (thrown) {
    if (!(thrown instanceof GitError)) throw thrown
    workspace.log.warn('history_unreadable', { file, reason: thrown.message })
  }
  return fromTexts(workspace, file, value, pointer)
}

async function fromCommits(
  { config, repository }: Workspace,
  file: string,
  value: JsonMap,
  only: string,
): Promise<LastChange | null> {
  const folder = repository && toTreePath(repository, config.menusFolder)
  const path = repository && menuTreePath(repository, menusFolderOf(config), file)
  if (repository === null || folder === null || path === null) return null
  const { limits, storage } = config.options
  const history = createMenuHistory(repository, limits, scopeOf(folder, storage.file_prefix))
  const head = await history.latest(toLine(await must(repository, ['rev-parse', 'HEAD'])), path)
  if (head === null) return null
  const start: BlameStart = { value, version: null, before: [head], only }
  const end = performance.now() + PATIENCE_MS
  const origins = await blameItems(history, start, () => {
    if (performance.now() > end) throw new GitError('the history is too long')
  })
  const [origin] = origins.get(only) ?? []
  if (origin === undefined || origin.commit === null || origin.kind === 'unknown') return null
  const { author, date, subject } = origin.commit
  return { user: author, time: Date.parse(date), subject }
}

/** The newest replaced text in which the item was another one: who replaced it changed the item. */
async function fromTexts(
  { versions, documents }: Workspace,
  file: string,
  value: JsonMap,
  pointer: string,
): Promise<LastChange | null> {
  for (const { id, author: user, time } of versions.list(file).slice(0, MOST_TEXTS)) {
    const bytes = versions.read(id)
    const before = bytes && documents.read(file, bytes).value
    await nextTurn()
    if (before === null) return null
    const match = matchMenus(before, value)
    const item = findItem(match.after, pointer)
    const twin = item && match.toBefore.get(item)
    if (item !== null && (!twin || !isEqual(ownOf(item.item), ownOf(twin.item))))
      return { user, time, subject: null }
  }
  return null
}
