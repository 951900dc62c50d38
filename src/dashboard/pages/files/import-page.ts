import { MENUS_AT_LIMITS } from '../../../document/exchange/import.js'
import { TRANSLATION_FORMATS } from '../../../document/exchange/translation-rows.js'
import { isList, isMap } from '../../../model/json.js'
import { contentHash } from '../../../store/hash.js'
import { type ImportReply, importAll, type WrittenFile } from '../../deeds/import.js'
import type { Workspace } from '../../deeds/workspace.js'
import { formPage } from '../../forms/form-page.js'
import { type Trouble, toError } from '../../forms/trouble.js'
import type { Fields, Page } from '../../page.js'

/** Lines of a list. */
export const MOST = 200
/** Lines of all differences. */
const MOST_LINES = 5_000

interface Outcome extends Trouble {
  /** What the import would do. */
  readonly plan?: ImportReply
}

/** The form for an import: it shows first what it would do. What was uploaded is in the field for the text from then on. */
export function importPage(workspace: Workspace): Page {
  const { config, home } = workspace
  return formPage<null, Outcome>({
    template: 'import',
    maxForm: MENUS_AT_LIMITS * config.options.limits.bytes + 65_536,
    find: () => null,
    view: ({ t, query }, _, form, { plan = null, problem }) => {
      const members = plan ?? problem?.members
      const written = plan?.written ?? []
      const count = query.get('written') ?? ''
      return {
        title: t.files.exchange.title,
        current: 'import',
        formats: TRANSLATION_FORMATS,
        locales: workspace.settings.locales.locales,
        plan,
        json: form === null ? '' : jsonOf(form),
        mode: form?.get('mode') ?? 'skip',
        state: plan === null ? '' : stateOf(plan),
        written: toShownFiles(written.slice(0, MOST)),
        count: countOf(written),
        moreWritten: Math.max(0, written.length - MOST),
        ...toNotes(members),
        problems: problemsOf(members),
        done: /^\d{1,5}$/.test(count) ? t.fill(t.files.exchange.done, { count: Number(count) }) : null,
      }
    },
    submit: async ({ t, operator }, form) => {
      const json = jsonOf(form)
      if (json.trim() === '') return { errors: [toError('upload', t.files.exchange.needed)] }
      const wish = { json, isReplacing: form.get('mode') === 'replace' }
      const plan = await importAll(workspace, operator, { ...wish, isDry: true })
      if (form.get('do') !== 'import') return { plan }
      if (form.get('state') !== stateOf(plan))
        return { plan, errors: [toError(null, t.files.exchange.stale)], status: 412 }
      const { written } = await importAll(workspace, operator, {
        ...wish,
        shown: plan.versions,
        isDry: false,
      })
      return { location: `${home}/import?written=${countOf(written)}` }
    },
  })
}

/** How many files an import changes. */
export function countOf(written: readonly WrittenFile[]): number {
  return written.filter(({ what }) => what !== 'unchanged').length
}

/** The files of an import, those that are replaced with their differences, as far as there are not too many lines. */
export function toShownFiles(written: readonly WrittenFile[]): readonly object[] {
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
