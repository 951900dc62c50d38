import { setTimeout as sleep } from 'node:timers/promises'
import { writeChange } from '../../document/edit/write-change.js'
import { derived } from '../../model/derived.js'
import { toLabelText } from '../../model/label.js'
import { labelChain } from '../../model/locale.js'
import type { Draft } from '../../store/drafts/read-draft.js'
import { nextTurn } from '../../store/pause.js'
import { nameOfUser } from '../deeds/author-names.js'
import { learnAuthors } from '../deeds/history.js'
import type { Workspace } from '../deeds/workspace.js'
import type { Page } from '../page.js'
import { describePublisher } from './editor/others.js'
import { createMeasure, type Found, findHits, type MenuRow, readSearch, toMenuRows } from './menu-rows.js'
import { toPageNumber } from './page-number.js'

/** Rows of one page of the list. */
const ROWS = 100
/** Files with errors that the list begins with; the page of problems has all. */
const MOST_BROKEN = 10
/** How long a list waits for git to say who changed a menu last; the next one knows it. */
const MOST_WAITED_MS = 500
/** Deleted files that are not committed, and named. */
const MOST_DELETED = 10

/** The list of all menus: a group per code, a row per variant. */
export function menusPage(workspace: Workspace): Page {
  const { current, home, settings } = workspace
  const { locales } = settings.locales
  const measure = createMeasure(locales)
  /** What a draft makes of its menu; null where that cannot be read. */
  const menuOf = derived(({ base, change, texts }: Draft) => {
    const { value: written } = writeChange(base, change, texts)
    return written && workspace.store.judge(written).menu
  })
  return {
    role: 'view',
    show: async ({ query, operator, t }) => {
      const snapshot = current()
      const { q, words } = readSearch(query)
      const drafts = workspace.drafts.list()
      const own = drafts.filter(({ user, steps }) => user === operator.id && steps.position > 0)
      const ownOf = new Map(own.map((draft) => [draft.path, draft]))
      const found = toMenuRows(snapshot, drafts, words, measure, settings)
      const rows = found.filter(({ code }) => code !== null)
      const broken = found.filter(({ errors }) => errors.length > 0)
      const pages = Math.max(1, Math.ceil(rows.length / ROWS))
      const page = toPageNumber(query, pages)
      const shown: MenuRow[] = []
      for (const row of rows.slice((page - 1) * ROWS, page * ROWS)) {
        const draft = ownOf.get(row.file)
        const menu = draft && menuOf(draft)
        // The items are those that visitors see.
        shown.push(menu ? { ...row, ...measure(menu), labels: row.labels } : row)
        if (draft !== undefined) await nextTurn()
      }
      const paths = snapshot.files.map(({ path }) => path)
      const versions = new Map(snapshot.files.map(({ path, version }) => [path, version]))
      const variants = snapshot.files.flatMap(({ menu, path }) => {
        const { code, context = {} } = menu ?? snapshot.served.get(path)?.menu ?? {}
        return Object.keys(context).length > 0 ? [code] : []
      })
      const uncommitted = (await workspace.uncommitted()) ?? new Set()
      await Promise.race([learnAuthors(workspace), sleep(MOST_WAITED_MS, null, { ref: false })])
      const chain = labelChain(t.lang, settings.locales)
      const foundIn = (file: string): Found | null => {
        const menu = snapshot.served.get(file)?.menu
        return menu === undefined ? null : findHits(menu, words, { chain, settings })
      }
      const model = {
        title: t.menus.title,
        q,
        isEmpty: paths.length === 0,
        deleted: [...uncommitted].filter((path) => !paths.includes(path)).slice(0, MOST_DELETED),
        count: found.length,
        groups: groupsOf(shown.map((row) => toShownRow(row, uncommitted))).map((group) => ({
          ...group,
          // The menu for everyone is no variant.
          variants: variants.filter((code) => code === group.code).length,
          found: group.rows.filter(({ context }) => context.length > 0).length,
        })),
        foundIn,
        initialOf: ({ name }: MenuRow) => [...name][0]?.toLocaleUpperCase(t.lang) ?? '',
        labelsOf: ({ labels }: MenuRow) => labels.map((label) => toLabelText(label, chain)),
        lastOf: (file: string) => describePublisher(workspace, file, versions.get(file), t),
        broken: broken.slice(0, MOST_BROKEN),
        brokenCount: broken.length,
        isTranslated: locales.length > 1,
        page,
        pages,
        pathOf: (number: number) =>
          `${home}?${new URLSearchParams({ ...(q !== '' && { q }), page: String(number) })}`,
        ...{ user: operator.id, nameOfUser: (user: string) => nameOfUser(workspace, user) },
      }
      return { template: 'menus', model }
    },
  }
}

/** A row with what only the page needs of it. */
function toShownRow(row: MenuRow, uncommitted: ReadonlySet<string>): ShownRow {
  return { ...row, isUncommitted: uncommitted.has(row.file) }
}

interface ShownRow extends MenuRow {
  readonly isUncommitted: boolean
}

/** Rows of the same code, which follow each other, as a group. */
function groupsOf(
  rows: readonly ShownRow[],
): readonly { readonly code: string | null; readonly rows: readonly ShownRow[] }[] {
  const groups = new Map<string | null, ShownRow[]>()
  for (const row of rows) {
    const group = groups.get(row.code)
    if (group === undefined) groups.set(row.code, [row])
    else group.push(row)
  }
  return [...groups].map(([code, of]) => ({ code, rows: of }))
}
