import { matchMenus } from '../../../change/compare/match.js'
import { ownOf } from '../../../change/items.js'
import { type MenuDocument, readDocument } from '../../../document/menu-document.js'
import { isEqual } from '../../../model/json.js'
import { nameOf } from '../../../model/label.js'
import { labelChain } from '../../../model/locale.js'
import { done, failed, type Result } from '../../../model/result.js'
import { contentHash } from '../../../store/hash.js'
import type { HttpProblem } from '../../../web/problem-json.js'
import { toRestored } from '../../api/branches.js'
import { judgeFile } from '../../api/call.js'
import { type Editing, needDocument, publish } from '../../api/editing.js'
import { historyOf, textOf } from '../../api/history.js'
import { toDetail } from '../error-page.js'
import type { Answered, Call, Fields, Page } from '../page.js'
import type { Shown } from '../shown.js'
import { toPublishedPath, toShownChange } from './outcome.js'

/** Kept texts, and items to restore, that the page lists. */
const MOST_KEPT = 200
const MOST_ITEMS = 100
/** Identifies the file as it is now, instead of the id of a version. */
const NOW = 'now'

interface Shortcomings {
  readonly isStale?: boolean
  readonly fault?: HttpProblem | null
  readonly status?: number
}

/** The earlier versions of a menu file, also of one that is gone: what each changed, and the way back. */
export function historyPage({ editing, current, settings }: Shown, home: string): Page {
  const list = (call: Call): Answered => {
    const { t, operator } = call
    const paths = current().files.map(({ path }) => path)
    const deleted = editing.versions
      .listOthers(paths)
      .map((kept) => ({ ...kept, when: toWhen(kept.time, t.lang) }))
    const model = {
      title: t.files.history.deletedTitle,
      current: 'menus',
      deleted,
      canAct: operator.role === 'edit',
    }
    return done({ template: 'deleted', model })
  }

  const page = async (
    call: Call,
    file: string,
    { isStale = false, fault = null, status = 200 }: Shortcomings = {},
  ): Promise<Answered> => {
    const { t, query, operator } = call
    const { value: now } = needDocument(editing, file)
    const rows = await rowsOf(editing, file, t)
    const present = rows.findIndex(({ isNow }) => isNow)
    if (now === null && rows.length === 0) return failed(NO_SUCH_FILE)
    const [from, to] = [query.get('from') ?? '', query.get('to') || NOW]
    const { value: sides, fault: gone } = await sidesOf(editing, file, from, to)
    if (gone !== null) return failed(gone)
    const [before, after] = sides ?? []
    // Of two versions, what is shown is how the later one came about; of one alone, what restoring it would do.
    const isAlone = !query.has('to')
    const [old = null, next = null] = isAlone ? [after, before] : [before, after]
    const compared = { path: file, before: old, after: next }
    const canRestore = isAlone && before != null
    const model = {
      title: t.files.history.title,
      current: 'menus',
      ...{ file, from, to, isStale },
      rows: rows.slice(0, MOST_KEPT).map((row, place) => ({ ...row, to: place === present ? NOW : row.id })),
      chosen: from || (rows.find(({ id, isNow }) => id !== null && !isNow)?.id ?? ''),
      isNowListed: present >= 0 && present < MOST_KEPT,
      isGone: now === null,
      canCompare: rows.filter(({ id, isNow }) => id !== null && !isNow).length + (now === null ? 0 : 1) > 1,
      isDeleted: now === null && query.has('deleted'),
      isCompared: sides !== null,
      change: sides === null ? null : toShownChange(editing, compared, t),
      when: rows.find(({ id }) => id === from)?.when ?? '',
      canRestore: canRestore && operator.role === 'edit',
      version: now === null ? '' : contentHash(now.bytes),
      items: canRestore && now !== null ? itemsOf(before, now, t.lang) : [],
      fault: fault === null ? null : toDetail(t, fault),
    }
    return done({ template: 'history', model, status })
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

  const restore = async (call: Call, file: string, form: Fields): Promise<Answered> => {
    const { operator, query } = call
    const { value: bytes, fault } = await textOf(editing, query.get('from') ?? '')
    if (fault !== null) return failed(fault)
    const { value: now } = needDocument(editing, file)
    const version = now === null ? '' : contentHash(now.bytes)
    if (form.get('version') !== version) return page(call, file, { isStale: true, status: 412 })
    const pointer = form.get('item') ?? null
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
    const whole = { kind: 'text', path: file, version: version || null, text } as const
    const { value: edit, fault: impossible } =
      pointer === null || now === null ? done(whole) : toRestored(now, bytes, pointer)
    if (impossible !== null) return page(call, file, { fault: impossible, status: impossible.status })
    const published = await publish(editing, [edit], { operator, isDry: false, action: 'restore' })
    if (published.fault !== null)
      return page(call, file, { fault: published.fault, status: published.fault.status })
    return done({ location: toPublishedPath(home, published.value) })
  }

  return {
    role: 'view',
    show: (call) => {
      const given = call.query.get('file')
      if (given === undefined) return list(call)
      const { value: file, fault } = judgeFile(given)
      return fault === null ? page(call, file) : failed(fault)
    },
    submit: (call, form) => {
      const { value: file, fault } = judgeFile(call.query.get('file') ?? '')
      if (fault !== null) return failed(fault)
      return restore(call, file, form)
    },
  }
}

/** A version of a file, as the page lists it. */
interface Row {
  /** Null where the file was deleted. */
  readonly id: string | null
  readonly time: number
  readonly when: string
  readonly who: string
  /** What a commit did; null for a text that a publish replaced. */
  readonly subject: string | null
  readonly isNow: boolean
}

/** All versions, the newest first. Texts that are in git, too, are listed once. */
async function rowsOf(
  editing: Editing,
  file: string,
  { lang, files: t }: Call['t'],
): Promise<readonly Row[]> {
  const { kept, commits } = await historyOf(editing, file)
  const { value: now } = needDocument(editing, file)
  const version = now === null ? null : contentHash(now.bytes)
  const inGit = new Set(commits.map((commit) => commit.version))
  const rows = [
    ...commits.map(({ id, date, author, subject, version: of }) => ({
      ...{ id, who: author.name, subject, time: Date.parse(date) },
      isNow: of !== null && of === version,
    })),
    ...kept
      .filter((each) => !inGit.has(each.version))
      .map(({ id, time, author, version: of }) => ({
        ...{ id, time, who: t.history.replaced(author), subject: null },
        isNow: of === version,
      })),
  ]
  return rows.toSorted((a, b) => b.time - a.time).map((row) => ({ ...row, when: toWhen(row.time, lang) }))
}

/** Two versions of a file; null where none is asked for. */
async function sidesOf(
  editing: Editing,
  file: string,
  from: string,
  to: string,
): Promise<Result<readonly (MenuDocument | null)[] | null, HttpProblem>> {
  if (from === '') return done(null)
  const sides: (MenuDocument | null)[] = []
  for (const id of [from, to]) {
    if (id === NOW) {
      sides.push(needDocument(editing, file).value)
      continue
    }
    const { value: bytes, fault } = await textOf(editing, id)
    if (fault !== null) return failed(fault)
    sides.push(readDocument(file, bytes, editing.config.options.limits))
  }
  return done(sides)
}

/** A moment in the words of a language, in UTC, as servers and operators may be anywhere. */
export function toWhen(time: number, lang: string): string {
  const words = { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' } as const
  return `${new Intl.DateTimeFormat(lang, words).format(time)} UTC`
}

const NO_SUCH_FILE: HttpProblem = { status: 404, code: 'not-found', detail: 'There is no such menu file.' }
