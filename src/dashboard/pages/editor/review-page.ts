import { toName } from '../../../change/actions/outcome.js'
import { nameOfField } from '../../../change/compare/field-words.js'
import { fill } from '../../../change/fill.js'
import { toClosed } from '../../../model/direction.js'
import { isMap, type Json, valueAt } from '../../../model/json.js'
import { type Locale, labelChain } from '../../../model/locale.js'
import { parsePointer } from '../../../model/pointer.js'
import { isError, type Problem, toAdvice } from '../../../model/problem.js'
import { isShareable } from '../../../service/shareable.js'
import { contentHash } from '../../../store/hash.js'
import type { HttpProblem } from '../../../web/problem-json.js'
import { type DescribedConflict, describeConflicts } from '../../deeds/conflicts.js'
import { publishDraft, resolveDraft } from '../../deeds/drafts.js'
import { type EditedMenu, findEdited, isSame } from '../../deeds/edited-menu.js'
import { toPublishProblem } from '../../deeds/faults.js'
import type { Workspace } from '../../deeds/workspace.js'
import { fileIn } from '../../forms/form-page.js'
import { type FormError, type Trouble, toDetail, toError, toErrorOf } from '../../forms/trouble.js'
import type { Call, Fields, Page, PageReply } from '../../page.js'
import { Refusal } from '../../refusal.js'
import type { Texts } from '../../texts/language.js'
import { firstOf, type ShownChange, toPublishedPath, toShownChange } from '../files/outcome.js'
import { toAddresses } from './addresses.js'

/** Drafts of other menus that wait for a publish. */
const MOST_DRAFTS = 10

/** What a publish would do, decisions that it needs, and the publish itself. */
export function reviewPage(workspace: Workspace): Page {
  const { config, current, home, settings } = workspace
  const to = toAddresses(home)

  const page = async (
    call: Call,
    menu: EditedMenu,
    errors: readonly FormError[] = [],
    { status = 200, form = null, note = null }: Situation = {},
  ): Promise<PageReply> => {
    const { t, operator } = call
    const { file, draft, base, disk, change } = menu
    const chain = labelChain(t.lang, settings.locales)
    const result =
      draft === null ? NOTHING : await tryOut(workspace, operator.id, menu, wordsFor(t, menu, chain), form)
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
      title: t.fill(t.review.title, { name: toClosed(String(value['name'] ?? file)) }),
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
    return { template: 'review', model, status }
  }

  /** The page after a publish; null where the address does not speak of the file as it is. */
  const publishedPage = ({ t, query, operator }: Call, file: string): PageReply | null => {
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
      drafts: workspace.drafts
        .list()
        .filter(({ user, path, steps }) => user === operator.id && path !== file && steps.position > 0)
        .slice(0, MOST_DRAFTS)
        .map(({ path }) => ({ path, href: to.review(path) })),
    }
    return { template: 'published', model }
  }

  const submit = async (call: Call, form: Fields, menu: EditedMenu): Promise<PageReply> => {
    const { t, operator } = call
    const { file, draft } = menu
    if (form.get('state') !== stateOf(menu) || draft === null)
      return page(call, menu, [], { status: 409, form, note: t.review.stale })
    const { id } = draft
    const isResolving = form.get('do') === 'resolve'
    const other = form.get('do') === 'elsewhere' ? (form.get('newFile')?.trim() ?? '') : undefined
    try {
      if (isResolving) {
        const choices = [...choicesIn(form)].map(([key, side]) => [key, side === 'theirs' ? side : 'mine'])
        const wish = { version: form.get('version') ?? '', choices: Object.fromEntries(choices) }
        resolveDraft(workspace, operator, { id, user: operator.id, revision: null }, wish)
        return { location: to.review(file) }
      }
      const wish = { id, revision: null, file: other, isDry: false }
      return { location: toPublishedPath(home, await publishDraft(workspace, operator, wish), file) }
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown
      const { problem } = thrown
      const errors = isResolving
        ? [toResolveError(t, problem)]
        : toErrors(t, problem, other === undefined ? null : 'newFile')
      return page(call, menu, errors, { status: problem.status, form })
    }
  }

  return {
    role: 'edit',
    show: async (call) => {
      const file = fileIn(call)
      return publishedPage(call, file) ?? page(call, findEdited(workspace, call.operator, file))
    },
    submit: async (call, form) => submit(call, form, findEdited(workspace, call.operator, fileIn(call))),
  }
}

function toResolveError(t: Texts, problem: HttpProblem): FormError {
  const { text } = toDetail(t, problem)
  return problem.code === 'undecided' ? toError('conflicts', t.review.undecided) : toError(null, text)
}

interface Situation extends Pick<Trouble, 'status' | 'note'> {
  readonly form?: Fields | null
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
  workspace: Workspace,
  author: string,
  menu: EditedMenu,
  { t, toShown }: Words,
  form: Fields | null,
): Promise<Outcome> {
  const { file: path, base, change, disk, draft } = menu
  if (disk === null) return { ...NOTHING, outcome: 'gone' }
  if (disk.value === null) return { ...NOTHING, outcome: 'broken' }
  const edit = { kind: 'change', path, base, change, texts: draft?.texts ?? {} } as const
  const { value, fault } = await workspace.publisher.publish([edit], { author, isDry: true })
  if (fault === null) {
    const [file] = value.files
    const shown =
      file === undefined || file.before === file.after ? null : await toShownChange(workspace, file, t)
    if (shown === null) return NOTHING
    return { ...NOTHING, outcome: 'ready', change: shown, problems: firstOf(value.problems) }
  }
  if (fault.reason === 'conflict') {
    const choices = [...choicesIn(form)].map(([id, side]) => [id, side === 'theirs' ? side : 'mine'] as const)
    const { version, conflicts } = describeConflicts(fault, new Map(choices))
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

/** The side that a form chose for each conflict. */
function choicesIn(form: Fields | null): ReadonlyMap<string, string> {
  return new Map(
    [...(form ?? [])].flatMap(([name, side]) =>
      name.startsWith('choice:') ? [[name.slice('choice:'.length), side] as const] : [],
    ),
  )
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

/** A refusal to publish that the page would not show otherwise. */
function toErrors(t: Call['t'], fault: HttpProblem, field: string | null): readonly FormError[] {
  const { problems } = fault.members ?? {}
  if (field !== null && Array.isArray(problems))
    return problems.filter(isMap).map(({ what }) => ({ field, text: String(what), isTranslated: false }))
  if (fault.code === 'conflict' || fault.code === 'invalid-menu') return []
  return [{ ...toDetail(t, fault), field }]
}
