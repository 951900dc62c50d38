import { toName } from '../../../change/actions/outcome.js'
import { nameOfField } from '../../../change/compare/words.js'
import { fill } from '../../../change/fill.js'
import { toClosed } from '../../../model/direction.js'
import { isMap, type Json, valueAt } from '../../../model/json.js'
import { type Locale, labelChain } from '../../../model/locale.js'
import { parsePointer } from '../../../model/pointer.js'
import { isError, type Problem, toAdvice } from '../../../model/problem.js'
import { done, failed } from '../../../model/result.js'
import { isShareable } from '../../../service/shareable.js'
import { contentHash } from '../../../store/hash.js'
import type { HttpProblem } from '../../../web/problem-json.js'
import { type DescribedConflict, describeConflicts } from '../../api/conflicts.js'
import { publishDraft, resolveDraft } from '../../api/drafts.js'
import type { Editing } from '../../api/editing.js'
import { toPublishProblem } from '../../api/faults.js'
import { toDetail } from '../error-page.js'
import {
  firstOf,
  type PublishedFile,
  type ShownChange,
  toOutcomePath,
  toShownChange,
} from '../files/outcome.js'
import { type FormError, toError, toErrorOf } from '../form-error.js'
import type { Answered, Call, Fields, Page } from '../page.js'
import type { Shown } from '../shown.js'
import type { Texts } from '../texts/en.js'
import { toAddresses } from './addresses.js'
import { type EditedMenu, findEdited, isSame } from './edited-menu.js'

/** Drafts of other menus that wait for a publish. */
const MOST_DRAFTS = 10

/** What a publish would do, decisions that it needs, and the publish itself. */
export function reviewPage(deps: Shown, home: string): Page {
  const { editing, settings, config, current } = deps
  const to = toAddresses(home)

  const page = async (
    call: Call,
    menu: EditedMenu,
    errors: readonly FormError[] = [],
    { status = 200, form = null, note = null }: Shortcomings = {},
  ): Promise<Answered> => {
    const { t, operator } = call
    const { file, draft, base, disk, change } = menu
    const chain = labelChain(t.lang, settings.locales)
    const result =
      draft === null ? NOTHING : await tryOut(editing, operator.id, menu, wordsFor(t, menu, chain))
    const isMerged = draft !== null && result.outcome === 'ready' && !isSame(base, disk)
    const value = isMap(change.value) ? change.value : {}
    /** The item of a problem, with its form. What is merged with the file may have its items elsewhere. */
    const itemOf = ({ pointer }: Problem): { readonly name: string; readonly href: string } | null => {
      const item = isSame(base, disk) ? toItem(pointer) : null
      const found = item === null ? null : valueAt(value, parsePointer(item) ?? [])
      if (item === null || !isMap(found)) return null
      return { name: toName(found, t.actions, chain), href: to.item(file, { item }) }
    }
    const model = {
      title: t.review.title(toClosed(String(value['name'] ?? file))),
      current: 'menus',
      ...{ file, errors, note, isMerged, adviceOn: toAdvice, itemOf },
      ...{
        back: to.edit(file),
        discard: to.edit(file, { ask: 'discard' }),
        here: to.review(file),
        settingsPath: to.settings(file),
      },
      state: stateOf(menu),
      ...result,
      fault: result.fault === null ? null : toDetail(t, result.fault),
      choices: (id: string) => form?.get(`choice:${id}`) ?? '',
      newFile: form?.get('newFile') ?? toOtherName(file),
      errorOf: toErrorOf(errors),
    }
    return done({ template: 'review', model, status })
  }

  /** The page after a publish; null where the address does not speak of the file as it is. */
  const publishedPage = ({ t, query, operator }: Call, file: string): Answered | null => {
    const served = current().files.find(({ path }) => path === file)
    const published = query.get('published')
    if (served === undefined || published === undefined || served.version !== published) return null
    const commit = query.get('commit') ?? ''
    const isShared = config.policiesFile === null && settings.ttl > 0 && isShareable({}, served.menu)
    const model = {
      title: t.review.published,
      current: 'menus',
      file,
      back: to.edit(file),
      commit: /^[\da-f]{40,64}$/.test(commit) ? commit.slice(0, 10) : null,
      isUncommitted: commit === 'none',
      ttl: isShared ? settings.ttl : 0,
      drafts: editing.drafts
        .list()
        .filter(({ user, path, steps }) => user === operator.id && path !== file && steps.position > 0)
        .slice(0, MOST_DRAFTS)
        .map(({ path }) => ({ path, href: to.review(path) })),
    }
    return done({ template: 'published', model })
  }

  const submit = async (call: Call, form: Fields, menu: EditedMenu): Promise<Answered> => {
    const { t } = call
    const { file, draft } = menu
    const again = (errors: readonly FormError[], status: number): Promise<Answered> =>
      page(call, menu, errors, { status, form })
    if (form.get('state') !== stateOf(menu) || draft === null)
      return page(call, menu, [], { status: 409, form, note: t.review.stale })
    const asked = { ...call, id: draft.id, isDry: false }
    if (form.get('do') === 'resolve') {
      const choices = [...form].flatMap(([name, side]) =>
        name.startsWith('choice:') ? [[name.slice('choice:'.length), side] as const] : [],
      )
      const body = { version: form.get('version') ?? '', choices: Object.fromEntries(choices) }
      const { fault } = await resolveDraft(editing, { ...asked, body })
      if (fault === null) return done({ location: to.review(file) })
      const text = fault.code === 'undecided' ? t.review.undecided : toDetail(t, fault).text
      return again([toError(fault.code === 'undecided' ? 'conflicts' : null, text)], fault.status)
    }
    const other = form.get('do') === 'elsewhere' ? (form.get('newFile')?.trim() ?? '') : null
    const query = new Map(other === null ? [] : [['file', other]])
    const { value, fault } = await publishDraft(editing, { ...asked, query, body: null })
    if (fault !== null) return again(toErrors(t, fault, other === null ? null : 'newFile'), fault.status)
    const nothing: PublishedFile = { file, version: '', commit: null }
    return done({ location: toOutcomePath(home, { ...nothing, ...(value.value as Partial<PublishedFile>) }) })
  }

  return {
    role: 'edit',
    show: async (call) => {
      const file = call.query.get('file') ?? ''
      const published = publishedPage(call, file)
      if (published !== null) return published
      const { value: menu, fault } = findEdited(deps, call.operator, file)
      if (fault !== null) return failed(fault)
      return page(call, menu)
    },
    submit: async (call, form) => {
      const { value: menu, fault } = findEdited(deps, call.operator, call.query.get('file') ?? '')
      if (fault !== null) return failed(fault)
      return submit(call, form, menu)
    },
  }
}

interface Shortcomings {
  readonly status?: number
  readonly form?: Fields | null
  readonly note?: string | null
}

/** What a publish would come to. */
interface Outcome {
  readonly outcome: 'nothing' | 'ready' | 'conflict' | 'invalid' | 'gone' | 'broken' | 'failed'
  readonly change: ShownChange | null
  readonly problems: readonly object[]
  readonly conflicts: readonly object[]
  /** The version of the file that the conflicts are with. */
  readonly version: string
  readonly fault: HttpProblem | null
}

const NOTHING: Outcome = {
  outcome: 'nothing',
  change: null,
  problems: [],
  conflicts: [],
  version: '',
  fault: null,
}

async function tryOut(
  editing: Editing,
  author: string,
  menu: EditedMenu,
  { t, toShown }: Words,
): Promise<Outcome> {
  const { file: path, base, change, disk } = menu
  if (disk === null) return { ...NOTHING, outcome: 'gone' }
  if (disk.value === null) return { ...NOTHING, outcome: 'broken' }
  const edit = { kind: 'change', path, base, change } as const
  const { value, fault } = await editing.publisher.publish([edit], { author, isDry: true })
  if (fault === null) {
    const [file] = value.files
    const shown = file === undefined || file.before === file.after ? null : toShownChange(editing, file, t)
    if (shown === null) return NOTHING
    return { ...NOTHING, outcome: 'ready', change: shown, problems: firstOf(value.problems) }
  }
  if (fault.reason === 'conflict') {
    const { version, conflicts } = describeConflicts(fault)
    return { ...NOTHING, outcome: 'conflict', version, conflicts: conflicts.map(toShown) }
  }
  if (fault.reason === 'invalid')
    return {
      ...NOTHING,
      outcome: 'invalid',
      problems: firstOf(fault.problems.filter(isError)),
    }
  return { ...NOTHING, outcome: 'failed', fault: toPublishProblem(fault) }
}

/** The item that a pointer leads to or into; null where it leads to the menu itself. */
function toItem(pointer: string): string | null {
  return /^\/items\/\d+(?:\/children\/\d+)*/.exec(pointer)?.[0] ?? null
}

/** What the page shows, and with which file: both must be the same when its button is pressed. */
function stateOf({ state, disk }: EditedMenu): string {
  return `${state} ${disk === null ? '' : contentHash(disk.bytes)}`
}

/** The language of a page, and a conflict in it. */
interface Words {
  readonly t: Texts
  readonly toShown: (conflict: DescribedConflict) => object
}

function wordsFor(t: Texts, { change, disk }: EditedMenu, chain: readonly Locale[]): Words {
  const sides = { mine: change.value, theirs: disk?.value ?? {} }
  const text = (value: Json): string =>
    typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value, null, 1)
  const toShown = ({ id, kind, field, values, ...places }: DescribedConflict): object => {
    const side = places.mine === null ? 'theirs' : 'mine'
    const pointer = places[side] ?? ''
    const item = valueAt(sides[side], parsePointer(pointer) ?? []) ?? {}
    const [key = '', part = null] = field === null ? [] : (parsePointer(field) ?? [])
    const name = pointer === '' ? t.changes.theMenu : toName(item, t.actions, chain)
    const sentence =
      kind === 'delete' && side === 'mine' ? t.review.kinds.deletedByOthers : t.review.kinds[kind]
    return {
      id,
      what: fill(sentence, { name, field: nameOfField(key, part, t.changes), id: text(values.mine) }),
      texts: { base: text(values.base), mine: text(values.mine), theirs: text(values.theirs) },
    }
  }
  return { t, toShown }
}

/** A name beside that of a file. */
function toOtherName(file: string): string {
  return file.replace(/(\.ya?ml)?$/, (ending) => `-2${ending || '.yaml'}`)
}

/** A refusal to publish that the page does not show by itself. */
function toErrors(t: Call['t'], fault: HttpProblem, field: string | null): readonly FormError[] {
  const { problems } = fault.members ?? {}
  if (field !== null && Array.isArray(problems))
    return problems.filter(isMap).map(({ what }) => ({ field, text: String(what), isTranslated: false }))
  if (fault.code === 'conflict' || fault.code === 'invalid-menu') return []
  return [{ ...toDetail(t, fault), field }]
}
