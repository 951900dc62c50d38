import { matchMenus } from '../../../change/compare/match.js'
import { ownOf } from '../../../change/items.js'
import { type MenuDocument, readDocument } from '../../../document/menu-document.js'
import { isEqual } from '../../../model/json.js'
import { nameOf } from '../../../model/label.js'
import { labelChain } from '../../../model/locale.js'
import { readSubject } from '../../../review/diff/commit-message.js'
import { allows } from '../../../service/hooks.js'
import { contentHash } from '../../../store/hash.js'
import { isMenuPath } from '../../../store/menu-paths.js'
import { nextTurn } from '../../../store/pause.js'
import { needPath } from '../../deeds/faults.js'
import { type FileHistory, findText, historyOf, restore } from '../../deeds/history.js'
import { restoreToDraft } from '../../deeds/restore-draft.js'
import { findDocument, needVersionOf, type Workspace } from '../../deeds/workspace.js'
import { fileIn, formPage } from '../../forms/form-page.js'
import { toError } from '../../forms/trouble.js'
import type { Call, Page, PageReply } from '../../page.js'
import { createPathTo } from '../path-to.js'
import { toPublishedPath, toShownChange } from './outcome.js'

/** Kept texts, and items to restore, that the page lists. */
const MOST_KEPT = 200
const MOST_ITEMS = 100
/** Identifies the file as it is now, and as it was before its last change, instead of the id of a version. */
const NOW = 'now'
export const PREVIOUS = 'previous'

/** The earlier versions of a menu file, also of one that is gone: what each changed, and the way back. */
export function historyPage(workspace: Workspace): Page {
  const { current, home, settings } = workspace
  const to = createPathTo(home)
  const list = (call: Call): PageReply => {
    const { t, operator } = call
    const paths = current().files.map(({ path }) => path)
    const deleted = workspace.versions
      .listOthers(paths)
      .filter(({ path }) => isMenuPath(path, workspace.config.options.storage.file_prefix))
      .map((kept) => ({ ...kept, when: toTime(kept.time) }))
    const model = {
      title: t.files.history.deletedTitle,
      deleted,
      canAct: allows(operator.role, 'edit'),
    }
    return { template: 'deleted', model }
  }

  /** Items of a version that are different now, or gone while what was above them is there. */
  const itemsOf = (before: MenuDocument, now: MenuDocument, lang: string): readonly object[] => {
    if (before.value === null || now.value === null) return []
    const chain = labelChain(lang, settings.locales)
    const match = matchMenus(before.value, now.value)
    return match.before.all
      .flatMap((item) => {
        const twin = match.toAfter.get(item)
        if (
          twin === undefined
            ? match.toAfter.get(item.parent) === undefined
            : isEqual(ownOf(item.item), ownOf(twin.item))
        )
          return []
        return { pointer: item.pointer, name: nameOf(item.item, chain), isGone: twin === undefined }
      })
      .slice(0, MOST_ITEMS)
  }

  const form = formPage<string>({
    template: 'history',
    role: 'view',
    find: (call) => needPath(fileIn(call)),
    view: async ({ t, query, operator }, file) => {
      const history = await historyOf(workspace, file)
      const { value: now } = findDocument(workspace, file)
      const rows = toRows(history, now, t)
      const present = rows.findIndex(({ isNow }) => isNow)
      const previous = rows.slice(present + 1).find(({ id }) => id !== null)?.id
      const [named, until] = [query.get('from') ?? '', query.get('to') || NOW]
      const from = named === PREVIOUS ? (previous ?? '') : named
      const sides = await sidesOf(workspace, file, from, until)
      const [before, after] = sides ?? []
      // Of two versions, what is shown is how the later one came about; of one alone, what restoring it would do.
      const isAlone = !query.has('to')
      const [old = null, next = null] = isAlone ? [after, before] : [before, after]
      const compared = { path: file, before: old, after: next }
      const canRestore = isAlone && before != null
      const rowOf = (id: string) =>
        rows.find((row) => (id === NOW ? row.isNow : row.id === id)) ?? { when: t.files.history.now }
      return {
        title: t.files.history.title,
        ...{ file, from, until, isUndo: named === PREVIOUS },
        rows: rows
          .slice(0, MOST_KEPT)
          .map((row, place) => ({ ...row, to: place === present ? NOW : row.id })),
        chosen: from || (rows.find(({ id, isNow }) => id !== null && !isNow)?.id ?? ''),
        isNowListed: present >= 0 && present < MOST_KEPT,
        isGone: now === null,
        canCompare: rows.filter(({ id, isNow }) => id !== null && !isNow).length + (now === null ? 0 : 1) > 1,
        isDeleted: now === null && query.has('deleted'),
        isCompared: sides !== null,
        ends: (isAlone ? [until, from] : [from, until]).map(rowOf),
        change: sides === null ? null : await toShownChange(workspace, compared, t),
        when: rows.find(({ id }) => id === from)?.when ?? '',
        canRestore: canRestore && allows(operator.role, 'edit'),
        version: now === null ? '' : contentHash(now.bytes),
        items: canRestore && now !== null ? itemsOf(before, now, t.lang) : [],
      }
    },
    submit: async ({ query, operator }, form, file) => {
      const { value: now } = findDocument(workspace, file)
      const version = form.get('version') || null
      if (now !== null) needVersionOf(workspace, now, version)
      const id = query.get('from') ?? ''
      const pointer = form.get('item') ?? null
      if (pointer !== null || form.get('do') === 'draft') {
        await restoreToDraft(workspace, operator, { file, id, pointer })
        return { location: to('review', file) }
      }
      const published = await restore(workspace, operator, { file, version, id, isDry: false })
      return { location: `${await toPublishedPath(workspace, published)}&did=restored` }
    },
    toErrors: ({ files }, { code }) => (code === 'changed' ? [toError(null, files.history.stale)] : []),
  })
  return { ...form, show: (call: Call) => (call.query.has('file') ? form.show(call) : list(call)) }
}

/** A version of a file, as the page lists it. */
interface Row {
  /** Null where the file was deleted. */
  readonly id: string | null
  readonly time: number
  readonly when: string
  readonly who: string
  /** What a commit did; null for a text that a publish replaced. */
  readonly subject: ReturnType<typeof readSubject> | null
  readonly isNow: boolean
}

/**
 * All versions, the newest first. Texts that are in git, too, are listed once. Of equal ones, the newest is the present one. A
 * commit has its time in seconds, and comes after the text that it replaced at that time.
 */
function toRows(
  { kept, commits }: FileHistory,
  now: MenuDocument | null,
  { files, fill }: Call['t'],
): readonly Row[] {
  const version = now === null ? null : contentHash(now.bytes)
  const inGit = new Set(commits.map((commit) => commit.version))
  const rows = [
    ...commits.map(({ id, date, author, subject, version: of }) => ({
      ...{ id, who: author.name, subject: readSubject(subject), time: Date.parse(date) },
      isNow: of !== null && of === version,
    })),
    ...kept
      .filter((each) => !inGit.has(each.version))
      .map(({ id, time, author, version: of }) => ({
        ...{ id, time, who: fill(files.history.replaced, { user: author }), subject: null },
        isNow: of === version,
      })),
  ]
  const second = ({ time }: { readonly time: number }): number => Math.floor(time / 1_000)
  const sorted = rows.toSorted((a, b) => second(b) - second(a))
  const present = sorted.find(({ isNow }) => isNow)
  return sorted.map((row) => ({ ...row, isNow: row === present, when: toTime(row.time) }))
}

/** Two versions of a file; null where none is asked for. */
async function sidesOf(
  workspace: Workspace,
  file: string,
  from: string,
  to: string,
): Promise<readonly (MenuDocument | null)[] | null> {
  if (from === '') return null
  const sides: (MenuDocument | null)[] = []
  for (const id of [from, to]) {
    if (id === NOW) {
      sides.push(findDocument(workspace, file).value)
      continue
    }
    const { bytes } = await findText(workspace, file, id)
    await nextTurn()
    sides.push(readDocument(file, bytes, workspace.config.options.limits))
  }
  return sides
}

/** A moment in RFC 3339, to the second. */
function toTime(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`
}
