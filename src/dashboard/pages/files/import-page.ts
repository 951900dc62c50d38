import { MENUS_AT_LIMITS } from '../../../document/exchange/import.js'
import { isList, isMap } from '../../../model/json.js'
import { contentHash } from '../../../store/hash.js'
import { type ImportReply, importAll, type WrittenFile } from '../../deeds/import.js'
import type { Workspace } from '../../deeds/workspace.js'
import type { Trouble } from '../../forms/trouble.js'
import { toDetail } from '../../forms/trouble.js'
import type { Call, Fields, Page, PageReply } from '../../page.js'
import { pathTo } from '../path-to.js'

/** Lines of a list. */
const MOST = 200
/** Lines of all differences. */
const MOST_LINES = 5_000

interface Outcome extends Trouble {
  /** What the import would do. */
  readonly plan?: ImportReply | null
  readonly isStale?: boolean
  readonly isEmpty?: boolean
}

/** The form for an import: it shows first what it would do. What was uploaded is in the field for the text from then on. */
export function importPage(workspace: Workspace): Page {
  const { config, home } = workspace
  const page = (
    { t, query }: Call,
    form: Fields,
    { plan = null, problem = null, isStale = false, isEmpty = false, status }: Outcome = {},
  ): PageReply => {
    const members = plan ?? problem?.members
    const written = plan?.written.filter(({ what }) => what !== 'unchanged') ?? []
    const count = query.get('written') ?? ''
    const model = {
      title: t.files.exchange.title,
      current: 'import',
      ...{ plan, isStale, isEmpty },
      json: jsonOf(form),
      mode: form.get('mode') ?? 'skip',
      state: plan === null ? '' : stateOf(plan),
      written: toShownFiles(plan?.written.slice(0, MOST) ?? []),
      count: written.length,
      moreWritten: Math.max(0, (plan?.written.length ?? 0) - MOST),
      ...toNotes(members),
      problems: problemsOf(members),
      fault: problem === null ? null : toDetail(t, problem),
      done: /^\d{1,5}$/.test(count) ? t.fill(t.files.exchange.done, { count: Number(count) }) : null,
    }
    return { template: 'import', model, status: status ?? problem?.status ?? 200 }
  }

  return {
    role: 'edit',
    maxForm: MENUS_AT_LIMITS * config.options.limits.bytes + 65_536,
    show: (call) => page(call, new Map()),
    refused: (call, form, problem) => page(call, form, { problem }),
    submit: async (call, form) => {
      const json = jsonOf(form)
      if (json.trim() === '') return page(call, form, { isEmpty: true, status: 422 })
      const wish = { json, isReplacing: form.get('mode') === 'replace' }
      const plan = await importAll(workspace, call.operator, { ...wish, isDry: true })
      if (form.get('do') !== 'import') return page(call, form, { plan })
      if (form.get('state') !== stateOf(plan)) return page(call, form, { plan, isStale: true, status: 412 })
      const shown = plan.versions
      const { written } = await importAll(workspace, call.operator, { ...wish, shown, isDry: false })
      const count = written.filter(({ what }) => what !== 'unchanged').length
      return { location: pathTo(home, 'import', { written: String(count) }) }
    },
  }
}

/** The files of an import, those that are replaced with their differences, as far as there are not too many lines. */
function toShownFiles(written: readonly WrittenFile[]): readonly object[] {
  let room = MOST_LINES
  return written.map(({ diff, ...file }) => {
    const lines = diff?.trimEnd().split('\n') ?? []
    const isShown = lines.length <= room
    if (isShown) room -= lines.length
    return { ...file, diff: isShown ? lines : [], isLong: file.what === 'replaced' && !(isShown && diff) }
  })
}

/** What was uploaded, else what was pasted. */
function jsonOf(form: Fields): string {
  return form.get('upload') || (form.get('json') ?? '')
}

/** Identifies what an import would do. */
function stateOf(plan: ImportReply): string {
  return contentHash(JSON.stringify(plan))
}

/** What is changed and refused on the way, as the page lists it. */
function toNotes(members: unknown): object {
  const { notes, omitted } = isMap(members) ? members : {}
  const all = isList(notes) ? notes.filter(isMap) : []
  const refusals = all.filter(({ kind }) => kind === 'refused')
  const others = all.filter(({ kind }) => kind !== 'refused')
  const [shownRefusals, shownNotes] = [refusals.slice(0, MOST), others.slice(0, MOST)]
  const left = all.length - shownRefusals.length - shownNotes.length
  return {
    refusals: shownRefusals,
    notes: shownNotes,
    more: left + (typeof omitted === 'number' ? omitted : 0),
  }
}

function problemsOf(members: unknown): readonly object[] {
  const { problems } = isMap(members) ? members : {}
  return isList(problems) ? problems.filter(isMap).slice(0, MOST) : []
}
