import { isShareable } from '../../../service/shareable.js'
import { countChanges } from '../../deeds/draft-changes.js'
import type { Workspace } from '../../deeds/workspace.js'
import type { Call } from '../../page.js'
import { PREVIOUS } from '../files/history-page.js'
import { createPathTo } from '../path-to.js'

/** Drafts of other menus that wait for a publish. */
const MOST_DRAFTS = 10

/** What a publish came to, as the address of the page says it. */
export interface PublishedNotice {
  readonly title: string
  /** How many changes are live; null where the address does not say it. */
  readonly changes: string | null
  /** The commit of it, abbreviated; null for none. */
  readonly commit: string | null
  readonly isUncommitted: boolean
  /** Where it can be undone. */
  readonly undo: string
  /** For how long some visitors may get the old menu, in seconds. */
  readonly ttl: number
  readonly drafts: readonly { readonly path: string; readonly href: string }[]
}

/** Null where the address does not speak of the file as it is. */
export function describePublished(
  { config, current, drafts, home, settings }: Workspace,
  { t, query, operator }: Call,
  file: string,
): PublishedNotice | null {
  const served = current().files.find(({ path }) => path === file)
  const published = query.get('published')
  if (served === undefined || published === undefined || served.version !== published) return null
  const commit = query.get('commit') ?? ''
  const changes = query.get('changes') ?? ''
  const isShared = config.policiesFile === null && settings.ttl > 0 && isShareable({}, served.menu)
  const name = served.menu?.name ?? file
  return {
    title: t.fill(query.get('did') === 'restored' ? t.review.restored : t.review.published, { name }),
    changes: /^[1-9]\d{0,4}$/.test(changes) ? t.fill(t.review.count, { count: Number(changes) }) : null,
    commit: /^[\da-f]{40,64}$/.test(commit) ? commit.slice(0, 10) : null,
    isUncommitted: commit === 'none',
    undo: createPathTo(home)('history', file, { from: PREVIOUS }),
    ttl: isShared ? settings.ttl : 0,
    drafts: drafts
      .list()
      .filter((draft) => draft.user === operator.id && draft.path !== file && countChanges(draft) > 0)
      .slice(0, MOST_DRAFTS)
      .map(({ path }) => ({ path, href: createPathTo(home)('review', path) })),
  }
}
