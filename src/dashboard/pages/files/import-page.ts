import { MENUS_AT_LIMITS } from '../../../document/exchange/import.js'
import { TRANSLATION_FORMATS } from '../../../document/exchange/translation-rows.js'
import { isList, isMap } from '../../../model/json.js'
import { contentHash } from '../../../store/hash.js'
import { BADLY_ENCODED } from '../../../web/multipart.js'
import type { Operator } from '../../access/operator.js'
import { waitingDrafts } from '../../deeds/drafts.js'
import {
  type ImportPlan,
  type ImportReply,
  importAll,
  importIntoDrafts,
  planAll,
  type WrittenFile,
} from '../../deeds/import.js'
import type { Workspace } from '../../deeds/workspace.js'
import { formPage } from '../../forms/form-page.js'
import { type Trouble, toError } from '../../forms/trouble.js'
import type { Fields, Page } from '../../page.js'
import type { Texts } from '../../texts/language.js'
import { type ShownChange, toShownChange } from './outcome.js'

/** Lines of a list. */
export const MOST = 200
/** Replaced menus whose changes are shown in words. */
const MOST_DESCRIBED = 50

interface Outcome extends Trouble {
  /** What the import would do. */
  readonly plan?: ImportPlan
}

/** The form for an import: it shows first what it would do. What was uploaded is in the field for the text from then on. */
export function importPage(workspace: Workspace): Page {
  const { config, home } = workspace
  return formPage<null, Outcome>({
    template: 'import',
    maxForm: MENUS_AT_LIMITS * config.options.limits.bytes + 65_536,
    find: () => null,
    view: async ({ t, query, operator }, _, form, { plan: planned = null, problem }) => {
      const plan = planned?.reply ?? null
      const members = plan ?? problem?.members
      const written = plan?.written ?? []
      const [count, drafted] = ['written', 'drafted'].map((name) => query.get(name) ?? '')
      const shown = await toShownFiles(workspace, planned, t)
      return {
        title: t.files.exchange.title,
        current: 'import',
        formats: TRANSLATION_FORMATS,
        locales: workspace.settings.locales.locales,
        plan,
        json: form === null ? '' : jsonOf(form),
        mode: form?.get('mode') ?? 'skip',
        state: plan === null ? '' : stateOf(plan),
        ...shown,
        replacedDrafts: await replacedDrafts(workspace, operator, written),
        count: countOf(written),
        moreWritten: Math.max(0, countOf(written) - MOST),
        ...toNotes(members),
        problems: problemsOf(members),
        done: NUMBER.test(count ?? '')
          ? t.fill(t.files.exchange.done, { count: Number(count) })
          : NUMBER.test(drafted ?? '')
            ? t.fill(t.files.exchange.drafted, { count: Number(drafted) })
            : null,
        drafts: NUMBER.test(drafted ?? '') ? await waitingDrafts(workspace, operator) : [],
      }
    },
    submit: async ({ t, operator }, form) => {
      const json = jsonOf(form)
      if (form.has(`upload${BADLY_ENCODED}`)) return { errors: [toError('upload', t.files.exchange.notUtf8)] }
      if (json.trim() === '') return { errors: [toError('upload', t.files.exchange.needed)] }
      const wish = { json, isReplacing: form.get('mode') === 'replace' }
      const plan = await planAll(workspace, operator, { ...wish, isDry: true })
      const deed = form.get('do')
      if (deed !== 'import' && deed !== 'draft') return { plan }
      if (form.get('state') !== stateOf(plan.reply))
        return { plan, errors: [toError(null, t.files.exchange.stale)], status: 412 }
      if (deed === 'draft')
        return { location: `${home}/import?drafted=${await importIntoDrafts(workspace, operator, plan)}` }
      const { written } = await importAll(workspace, operator, {
        ...wish,
        shown: plan.reply.versions,
        isDry: false,
      })
      return { location: `${home}/import?written=${countOf(written)}` }
    },
  })
}

/** The drafts with changes that an import would replace, if it is put into drafts. */
async function replacedDrafts(
  workspace: Workspace,
  operator: Operator,
  written: readonly WrittenFile[],
): ReturnType<typeof waitingDrafts> {
  const replaced = new Set(written.flatMap(({ file, what }) => (what === 'replaced' ? [file] : [])))
  if (replaced.size === 0) return []
  return (await waitingDrafts(workspace, operator)).filter(({ file }) => replaced.has(file)).slice(0, MOST)
}

/** How many files an import changes. */
export function countOf(written: readonly WrittenFile[]): number {
  return written.filter(({ what }) => what !== 'unchanged').length
}

/** The files of an import: those that lose most items first, with what changes in words and as a difference; and what is lost in all. */
async function toShownFiles(workspace: Workspace, plan: ImportPlan | null, t: Texts): Promise<object> {
  const described = new Map<string, ShownChange>()
  const replaced = plan?.reply.written.filter(({ what }) => what === 'replaced') ?? []
  for (const { file } of replaced.slice(0, MOST_DESCRIBED)) {
    const published = plan?.files.find(({ path }) => path === file)
    const change = published && (await toShownChange(workspace, published, t))
    if (change) described.set(file, change)
  }
  const all =
    plan?.reply.written.map(({ file, what }) => ({ file, what, change: described.get(file) ?? null })) ?? []
  const removed = (each: (typeof all)[number]): number => each.change?.removed ?? 0
  return {
    written: all
      .filter(({ what }) => what !== 'unchanged')
      .toSorted((a, b) => removed(b) - removed(a))
      .slice(0, MOST),
    unchanged: all.filter(({ what }) => what === 'unchanged').slice(0, MOST),
    removed: all.reduce((sum, each) => sum + removed(each), 0),
    isReplacing: replaced.length > 0,
    isAdding: all.some(({ what }) => what === 'added'),
  }
}

const NUMBER = /^\d{1,5}$/

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
