import { MENUS_AT_LIMITS } from '../../../document/exchange/import.js'
import { isList, isMap } from '../../../model/json.js'
import { done } from '../../../model/result.js'
import { contentHash } from '../../../store/hash.js'
import type { HttpProblem } from '../../../web/problem-json.js'
import { type ImportReply, importAll } from '../../api/exchange.js'
import { toDetail } from '../error-page.js'
import type { Answered, Call, Fields, Page } from '../page.js'
import { pathTo } from '../path-to.js'
import type { Shown } from '../shown.js'

/** Lines of a list. */
const MOST = 200

interface Shortcomings {
  readonly plan?: ImportReply | null
  readonly fault?: HttpProblem | null
  readonly isStale?: boolean
  readonly isEmpty?: boolean
  readonly status?: number
}

/** The form for an import: it shows first what it would do. What was uploaded is in the field for the text from then on. */
export function importPage({ editing, config }: Shown, home: string): Page {
  const page = (
    { t, query }: Call,
    form: Fields,
    { plan = null, fault = null, isStale = false, isEmpty = false, status = 200 }: Shortcomings = {},
  ): Answered => {
    const said = toNotes(plan ?? fault?.members)
    const written = plan?.written.filter(({ what }) => what !== 'unchanged') ?? []
    const count = query.get('written') ?? ''
    const model = {
      title: t.files.exchange.title,
      current: 'import',
      ...{ plan, isStale, isEmpty },
      json: jsonOf(form),
      mode: form.get('mode') ?? 'skip',
      state: plan === null ? '' : stateOf(plan),
      written: plan?.written.slice(0, MOST) ?? [],
      count: written.length,
      moreWritten: Math.max(0, (plan?.written.length ?? 0) - MOST),
      ...said,
      problems: problemsOf(plan ?? fault?.members),
      fault: fault === null ? null : toDetail(t, fault),
      done: /^\d{1,5}$/.test(count) ? t.files.exchange.done(Number(count)) : null,
    }
    return done({ template: 'import', model, status })
  }

  const submit = async (call: Call, form: Fields): Promise<Answered> => {
    const body = jsonOf(form)
    if (body.trim() === '') return page(call, form, { isEmpty: true, status: 422 })
    const query = new Map([['mode', form.get('mode') ?? 'skip']])
    const asked = { ...call, id: '', query, body }
    const { value, fault } = await importAll(editing, { ...asked, isDry: true })
    if (fault !== null) return page(call, form, { fault, status: fault.status })
    const plan = value.value as ImportReply
    if (form.get('do') !== 'import') return page(call, form, { plan })
    if (form.get('state') !== stateOf(plan)) return page(call, form, { plan, isStale: true, status: 412 })
    const { value: reply, fault: refused } = await importAll(editing, { ...asked, isDry: false })
    if (refused !== null) return page(call, form, { fault: refused, status: refused.status })
    const { written } = reply.value as ImportReply
    const count = written.filter(({ what }) => what !== 'unchanged').length
    return done({ location: pathTo(home, 'import', { written: String(count) }) })
  }

  return {
    role: 'edit',
    maxForm: MENUS_AT_LIMITS * config.options.limits.bytes + 65_536,
    show: (call) => page(call, new Map()),
    refused: (call, form, fault) => page(call, form, { fault, status: fault.status }),
    submit,
  }
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
function toNotes(said: unknown): object {
  const { notes, omitted } = isMap(said) ? said : {}
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

function problemsOf(said: unknown): readonly object[] {
  const { problems } = isMap(said) ? said : {}
  return isList(problems) ? problems.filter(isMap).slice(0, MOST) : []
}
