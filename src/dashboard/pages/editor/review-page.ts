import { toName } from '../../../change/actions/outcome.js'
import type { Side, ThreeOf } from '../../../change/change.js'
import { nameOfField } from '../../../change/compare/field-words.js'
import { fill } from '../../../change/fill.js'
import type { PlacedItem } from '../../../change/items.js'
import { writeChange } from '../../../document/edit/write-change.js'
import { toClosed } from '../../../model/direction.js'
import { isList, isMap, type Json, valueAt } from '../../../model/json.js'
import { type Locale, labelChain } from '../../../model/locale.js'
import { localeName } from '../../../model/locale-name.js'
import { parsePointer } from '../../../model/pointer.js'
import { isError, type Problem } from '../../../model/problem.js'
import type { Draft } from '../../../store/drafts/read-draft.js'
import { asideOf } from '../../../store/drafts/steps.js'
import { contentHash } from '../../../store/hash.js'
import type { HttpProblem } from '../../../web/problem-json.js'
import type { Operator } from '../../access/operator.js'
import { nameOfUser } from '../../deeds/author-names.js'
import { type DescribedConflict, describeConflicts } from '../../deeds/conflicts.js'
import { countChanges } from '../../deeds/draft-changes.js'
import { publishDraft, resolveDraft } from '../../deeds/drafts.js'
import { type EditedMenu, findEdited, isSame } from '../../deeds/edited-menu.js'
import { toPublishProblem } from '../../deeds/faults.js'
import { authorOf, diskAuthor } from '../../deeds/history.js'
import { MAX_TEXT } from '../../deeds/proposal-limits.js'
import { listProposals, proposeDraft, toSubject } from '../../deeds/proposals.js'
import { newlyOpen, newlyUnseen } from '../../deeds/viewers.js'
import type { Workspace } from '../../deeds/workspace.js'
import { fileIn, formPage } from '../../forms/form-page.js'
import { type FormError, type Trouble, toDetail, toError } from '../../forms/trouble.js'
import type { Call, Fields, Page, SeeOther } from '../../page.js'
import { attempt } from '../../refusal.js'
import type { Texts } from '../../texts/language.js'
import { firstOf, toPublishedPath, toShownChange, withWords } from '../files/outcome.js'
import { createPathTo } from '../path-to.js'
import { toProposalPath } from '../proposals-page.js'
import { toAge } from './age.js'
import { describeSide } from './conflict-words.js'
import { MISSING } from './item-page.js'
import { type MissingText, toMissingText } from './missing-texts.js'
import { itemPointer } from './rows.js'

const SIDES = ['mine', 'theirs'] as const

/** What a publish would do, decisions that it needs, and the publish itself. */
export function reviewPage(workspace: Workspace): Page {
  const { home, settings } = workspace
  const to = createPathTo(home)

  /** What the form of a proposal has in it. */
  const proposalOf = async ({ id }: Draft, subject: string, form: Fields | null): Promise<object> => {
    const seen = workspace.proposals?.continued.of(id) ?? null
    const open =
      seen && (await listProposals(workspace)).proposals.find(({ branch }) => branch === seen.branch)
    return {
      title: form?.get('title') ?? open?.title ?? subject,
      text: form?.get('note') ?? '',
      updates: open && toClosed(open.title),
      isNew: form?.get('new') === 'on',
    }
  }
  const proposeIn = async (
    t: Texts,
    operator: Operator,
    form: Fields,
    { id, revision }: Draft,
  ): Promise<SeeOther | Trouble> => {
    const [title = '', text = ''] = ['title', 'note'].map((name) => form.get(name)?.trim())
    if (title === '') return { errors: [toError('title', t.proposals.needed)] }
    const wish = {
      ...{ id, revision, title, isDry: false },
      text: text.slice(0, MAX_TEXT),
      isNew: form.get('new') === 'on',
    }
    const { value, fault } = await attempt(() => proposeDraft(workspace, operator, wish))
    if (fault !== null) return { errors: toErrors(t, fault, null, choicesIn(form)), status: fault.status }
    return { location: toProposalPath(home, value.branch, value.isUpdate ? 'updated' : 'proposed') }
  }

  return formPage<EditedMenu>({
    template: 'review',
    find: (call) => findEdited(workspace, call.operator, fileIn(call)),
    view: async (call, menu, form) => {
      const { t } = call
      const { file, draft, base, disk, change, items } = menu
      const chain = labelChain(t.lang, settings.locales)
      const result = draft === null ? NOTHING : await tryOut(workspace, call, menu, form)
      const value = isMap(change.value) ? change.value : {}
      // What is merged with the file may have its items elsewhere.
      const isPlaced = isSame(base, disk)
      /** The item of a problem, with its form. */
      const itemOf = ({ pointer }: Problem): { readonly name: string; readonly href: string } | null => {
        const item = isPlaced ? itemPointer(pointer) : null
        const found = item === null ? null : valueAt(value, parsePointer(item) ?? [])
        if (item === null || !isMap(found)) return null
        return { name: toName(found, t.actions, chain), href: to('item', file, { item }) }
      }
      const toForm = ({ pointer: item }: MissingText): string =>
        item === null ? to('settings', file) : to('item', file, { item, ...MISSING })
      const problems: Problem[] = []
      const missing: object[] = []
      for (const problem of result.problems ?? []) {
        const found = isPlaced ? toMissingText(problem, value, { locales: settings.locales, t }) : null
        if (found === null) problems.push(problem)
        else missing.push({ ...found, href: toForm(found) })
      }
      const unseen = draft === null ? [] : newlyUnseen(workspace, draft, items)
      const open = draft === null ? [] : await newlyOpen(workspace, items)
      const isMerged = result.outcome === 'ready' && disk !== null && !isSame(base, disk)
      const toLink = ({ item, pointer }: PlacedItem) => ({
        ...{ name: toName(item, t.actions, chain), href: to('item', file, { item: pointer }) },
      })
      return {
        title: t.fill(t.review.title, { name: toClosed(String(value['name'] ?? file)) }),
        ...{ file, itemOf, ...result, problems, missing },
        unseen: unseen.map(toLink),
        open: open.map((each) => ({ ...toLink(each), lacks: each.lacks })),
        others: isMerged
          ? await toShownChange(workspace, { path: file, before: base, after: disk }, t)
          : null,
        back: to('edit', file),
        changes: draft === null ? 0 : countChanges(draft),
        hasOther: draft !== null && asideOf(draft.steps) !== null,
        state: stateOf(menu),
        choices: (id: string) => form?.get(`choice:${id}`) ?? '',
        newFile: form?.get('newFile') ?? toOtherName(file),
        proposal:
          workspace.proposals && draft && (await proposalOf(draft, String(result['subject'] ?? ''), form)),
      }
    },
    submit: async ({ t, operator }, form, menu) => {
      const { file, draft } = menu
      if (form.get('state') !== stateOf(menu) || draft === null)
        return { errors: [toError(null, t.review.stale)], status: 409 }
      const { id } = draft
      if (form.get('do') === 'propose') return proposeIn(t, operator, form, draft)
      const rest = SIDES.find((side) => side === form.get('do'))
      const isResolving = form.get('do') === 'resolve' || rest !== undefined
      const other = form.get('do') === 'elsewhere' ? (form.get('newFile')?.trim() ?? '') : undefined
      const { value: location, fault } = await attempt(async () => {
        if (!isResolving) {
          const wish = { id, revision: null, file: other, isDry: false }
          return toPublishedPath(workspace, await publishDraft(workspace, operator, wish), file)
        }
        const choices = Object.fromEntries(choicesIn(form))
        const wish = { version: form.get('version') ?? '', choices, ...(rest && { rest }) }
        resolveDraft(workspace, operator, { id, user: operator.id, revision: null }, wish)
        return to('review', file)
      })
      if (fault === null) return { location }
      const errors = toErrors(t, fault, other === undefined ? null : 'newFile', choicesIn(form))
      return { errors, status: fault.status }
    },
  })
}

/** What a publish would come to, with what the page shows of it. */
interface Outcome {
  readonly outcome: 'nothing' | 'ready' | 'conflict' | 'invalid' | 'gone' | 'broken' | 'failed'
  readonly problems?: readonly Problem[]
  readonly [shown: string]: unknown
}

const NOTHING: Outcome = { outcome: 'nothing' }

async function tryOut(
  workspace: Workspace,
  { t, operator }: Call,
  menu: EditedMenu,
  form: Fields | null,
): Promise<Outcome> {
  const { file: path, base, change, disk, draft } = menu
  if (disk === null) return { outcome: 'gone' }
  if (disk.value === null) return { outcome: 'broken' }
  const edit = { kind: 'change', path, base, change, texts: draft?.texts ?? {} } as const
  const { value, fault } = await workspace.publisher.publish([edit], { author: operator.id, isDry: true })
  if (fault === null) {
    const [file] = value.files
    const shown =
      file === undefined || file.before === file.after ? null : await toShownChange(workspace, file, t)
    if (shown === null) return NOTHING
    const subject = workspace.proposals && (await toSubject(workspace, value.files))
    return { outcome: 'ready', change: shown, problems: firstOf(value.problems), subject }
  }
  if (fault.reason === 'conflict') {
    const { version, conflicts } = describeConflicts(fault, choicesIn(form))
    const chain = labelChain(t.lang, workspace.settings.locales)
    const sides = { base: base.value ?? {}, mine: change.value, theirs: disk.value }
    const author = (await authorOf(workspace, path, version)) ?? diskAuthor(workspace, path)
    return {
      outcome: 'conflict',
      version,
      theirs: `${author.user === null ? t.together.onDisk : nameOfUser(workspace, author.user)}, ${toAge(author.time, t)}`,
      conflicts: conflicts.map((each) => toShown(each, sides, withWords(workspace, t), chain)),
    }
  }
  if (fault.reason === 'invalid') {
    const after = isSame(base, disk) ? writeChange(base, change, draft?.texts).value : null
    const shown = after && (await toShownChange(workspace, { path, before: disk, after }, t))
    return { outcome: 'invalid', change: shown, problems: firstOf(fault.problems.filter(isError)) }
  }
  return { outcome: 'failed', fault: toDetail(t, toPublishProblem(fault)) }
}

/** The side that a form chose for each conflict. */
function choicesIn(form: Fields | null): ReadonlyMap<string, 'mine' | 'theirs'> {
  const chosen = [...(form ?? [])].filter(([name]) => name.startsWith('choice:'))
  return new Map(
    chosen.map(([name, side]) => [name.slice('choice:'.length), side === 'theirs' ? side : 'mine']),
  )
}

/** What the page shows, and with which file: both must be the same when its button is pressed. */
function stateOf({ state, disk }: EditedMenu): string {
  return `${state} ${disk === null ? '' : contentHash(disk.bytes)}`
}

/** A conflict in the language of a page. */
function toShown(
  conflict: DescribedConflict,
  sides: ThreeOf<Json>,
  t: Texts,
  chain: readonly Locale[],
): object {
  const { id, kind, field, values } = conflict
  const text = (side: Side): string => describeSide(conflict, side, sides, t, chain)
  const side = conflict.mine === null ? 'theirs' : 'mine'
  // Where both renamed it, it has the name that both know.
  const known = conflict.base === null ? side : 'base'
  const pointer = conflict[known] ?? ''
  const item = valueAt(sides[known], parsePointer(pointer) ?? []) ?? {}
  const [key = '', part = null] = field === null ? [] : (parsePointer(field) ?? [])
  const name = pointer === '' ? t.changes.theMenu : toName(item, t.actions, chain)
  const { kinds } = t.review
  const sentence = kind === 'delete' && side === 'mine' ? kinds.deletedByOthers : kinds[kind]
  const spoken = key === 'label' && part !== null ? localeName(t.lang, part) || part : part
  return {
    id,
    what: fill(sentence, { name, field: nameOfField(key, spoken, t.changes), id: String(values.mine) }),
    texts: { base: text('base'), mine: text('mine'), theirs: text('theirs') },
  }
}

/** A name beside that of a file. */
function toOtherName(file: string): string {
  return file.replace(/(\.ya?ml)?$/, (ending) => `-2${ending || '.yaml'}`)
}

/** A refusal to publish that the page would not show otherwise. */
function toErrors(
  t: Texts,
  fault: HttpProblem,
  field: string | null,
  choices: ReadonlyMap<string, Side>,
): readonly FormError[] {
  const { problems, conflicts } = fault.members ?? {}
  if (fault.code === 'undecided') {
    const isOpen = isList(conflicts) && conflicts.some((id) => !choices.has(String(id)))
    return [toError('conflicts', isOpen ? t.review.undecided : t.review.contradictory)]
  }
  if (field !== null && Array.isArray(problems))
    return problems.filter(isMap).map(({ what }) => ({ field, text: String(what), isTranslated: false }))
  if (fault.code === 'conflict' || fault.code === 'invalid-menu') return []
  return [{ ...toDetail(t, fault), field }]
}
