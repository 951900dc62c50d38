import { type Action, act, findItem, SIMPLE_ACTIONS } from '../../../change/actions/action.js'
import { describeOutcome, describeRefusal, toName } from '../../../change/actions/outcome.js'
import { actOnAll, chooseItems } from '../../../change/actions/several.js'
import { findItems } from '../../../change/find-items.js'
import { fromShortName, type PlacedItem, toShortName, withAncestors } from '../../../change/items.js'
import { labelChain } from '../../../model/locale.js'
import { toLanguageNames } from '../../../model/locale-name.js'
import { isError } from '../../../model/problem.js'
import { neededLocales } from '../../../service/project-rules.js'
import { asideOf } from '../../../store/drafts/steps.js'
import { contentHash } from '../../../store/hash.js'
import { countChanges, marksOf, outdatedIn } from '../../deeds/draft-changes.js'
import { discardDraft } from '../../deeds/drafts.js'
import { type EditedMenu, findEdited, isSame } from '../../deeds/edited-menu.js'
import { clearDraft } from '../../deeds/restore-draft.js'
import { type StepFault, takeStep, turnBack } from '../../deeds/steps.js'
import type { Workspace } from '../../deeds/workspace.js'
import { fileIn } from '../../forms/form-page.js'
import { ALL_KINDS, OF_ALL, PICK, toShared } from '../../forms/several-form.js'
import { type Trouble, toError, toFormError } from '../../forms/trouble.js'
import { toMap } from '../../forms/typed-text.js'
import type { Call, Fields, Page, PageReply } from '../../page.js'
import { attempt, Refusal } from '../../refusal.js'
import type { Texts } from '../../texts/language.js'
import { toAdded } from '../files/translations-page.js'
import { toPairs } from '../menu-rows.js'
import { createPathTo } from '../path-to.js'
import { describeTimes } from '../times.js'
import { toAge } from './age.js'
import { describeCreated, pageNamesIn, toAnyRow, toEditorData } from './editor-data.js'
import { describeLast, describeOthers } from './others.js'
import { describeLook, publishAtOnce } from './publish-at-once.js'
import { describePublished } from './published.js'
import { missingIn, toRows } from './rows.js'
import { describeOther, describeTransfer, turnOther } from './transferred.js'
import { describeTurned, itemsBeside } from './turned-step.js'

/** From this many items on, branches are closed until opened, but for those in which something was edited. */
const MANY = 200

/** Characters of what is searched for. */
const MAX_SEARCH = 200

/** Problems of a file that cannot be read as a menu. */
const MOST_PROBLEMS = 20

/** What happened, and where it can be followed. */
interface Notice {
  readonly text: string
  readonly link?: { readonly href: string; readonly text: string }
  /** The pointer of the item that it is about, where the address names none. */
  readonly at?: string | null
}

/** The items of a menu, and what can be done to them. Showing it writes nothing. */
export function editorPage(workspace: Workspace): Page {
  const { config, current, home, settings } = workspace
  const { limits } = config.options
  const to = createPathTo(home)
  const needed = neededLocales(config.options.lint.rules, settings.locales)
  const chainOf = ({ lang }: Texts) => labelChain(lang, settings.locales)

  const page = async (
    call: Call,
    menu: EditedMenu,
    notice: Notice | null,
    trouble: Trouble = {},
  ): Promise<PageReply> => {
    const { t, query } = call
    const { file, draft, items, state, change, disk } = menu
    const chain = chainOf(t)
    const [open, focus] = ['open', 'at'].map((name) => {
      const item = findItem(items, query.get(name) ?? (name === 'at' ? notice?.at : null) ?? '')
      return item?.parent ? item : null
    }) as [PlacedItem | null, PlacedItem | null]
    const { routes, locales } = settings
    const rows = toRows(items, { routes, locales: locales.locales, chain })
    const pages = pageNamesIn(items, routes)
    const value = toMap(change.value)
    const marks = draft === null ? {} : marksOf(draft)
    const outdated = draft === null ? null : outdatedIn(draft, locales)
    const search = (query.get('find') ?? '').slice(0, MAX_SEARCH)
    const found = findItems(items, search, pages)
    const branches = query.get('branches')
    const isBranchOpen = (pointer: string): boolean =>
      found?.open.has(pointer) ||
      branches === 'open' ||
      (branches !== 'closed' && (items.all.length < MANY || shown.has(pointer)))
    const edited = items.all.filter(({ pointer }) => Object.hasOwn(marks, pointer))
    const shown = new Set([
      ...[open, focus].flatMap((item) => (item === null ? [] : ancestorsOf(item))),
      ...edited.flatMap(({ parent }) => (parent === null ? [] : ancestorsOf(parent))),
    ])
    const outside =
      disk === null ? 'gone' : disk.value === null ? 'broken' : isSame(menu.base, disk) ? null : 'changed'
    const model = {
      title: String(value['name'] ?? file),
      ...{ file, state, rows, notice, published: describePublished(workspace, call, file) },
      outdatedIn: (pointer: string) => outdated?.get(pointer) ?? [],
      shortName: toShortName,
      isLarge: items.all.length >= MANY,
      hasGlyphs: items.all.some(({ item }) => workspace.icons.get(String(item['icon']))),
      ...(await describeLook(workspace, menu)),
      markOf: (pointer: string) => (Object.hasOwn(marks, pointer) ? marks[pointer] : null),
      fileQuery: new URLSearchParams({ file }).toString(),
      code: String(value['code'] ?? ''),
      context: toPairs(toMap(value['context'])),
      count: items.all.length,
      nameOf: (item: PlacedItem['item']) => toName(item, t.actions, chain),
      windowOf: (item: PlacedItem['item']) => describeTimes(item, t),
      lineOf: (pointer: string) => menu.base.lineOf(change.origins.get(pointer)?.pointer ?? pointer),
      isOpen: isBranchOpen,
      isFound: (pointer: string) => found === null || found.shown.has(pointer),
      ...{ search, found: found === null ? null : found.count },
      hasBranches: items.all.some(({ below }) => below.length > 0),
      open: open === null ? null : toActions(menu, open, t),
      focus: open === null && focus !== null ? focus.pointer : null,
      asks: query.get('ask') === 'discard' && draft !== null,
      data: toEditorData(call, menu, { limits, chain, pages, service: workspace.serviceId }),
      anyRow: toAnyRow(t),
      steps: draft?.steps.position ?? 0,
      changes: draft === null ? 0 : countChanges(draft),
      canUndo: (draft?.steps.position ?? 0) > 0,
      canRedo: draft !== null && draft.steps.position < draft.steps.all.length,
      age: draft === null ? '' : toAge(draft.changed, t),
      others: describeOthers(workspace, call, file),
      hasOther: draft !== null && asideOf(draft.steps) !== null,
      outside,
      ...describeLast(workspace, call, file, disk && contentHash(disk.bytes)),
    }
    return { template: 'editor', model, trouble }
  }

  const toActions = (menu: EditedMenu, item: PlacedItem, t: Texts): object => {
    const chain = chainOf(t)
    const { parent } = item
    const before = parent?.below[item.place - 1]
    const sentence = (text: string, near: PlacedItem): string =>
      t.fill(text, { name: toName(near.item, t.actions, chain) })
    const labels: { readonly [kind in Action['kind']]?: string } = {
      ...(before && { nest: sentence(t.editor.nestUnder, before) }),
      ...(parent?.parent && { unnest: sentence(t.editor.unnestFrom, parent) }),
    }
    const isHidden = item.item['hidden'] === true
    const all = SIMPLE_ACTIONS.filter((kind) => kind !== (isHidden ? 'hide' : 'show')).map((kind) => {
      const { fault } = act(menu.items, item.pointer, { kind }, limits)
      return {
        kind,
        label: (fault === null && labels[kind]) || t.editor.does[kind],
        reason: fault === null ? null : describeRefusal(fault, item, t.actions, chain),
      }
    })
    return {
      pointer: item.pointer,
      name: toName(item.item, t.actions, chain),
      actions: all,
      canHold: item.item['type'] !== 'divider',
    }
  }

  /** What happened, when the browser comes back from a form. A crafted link cannot make it show any text. */
  const noticeOf = async (call: Call, menu: EditedMenu): Promise<Notice | null> => {
    const { query, t } = call
    const { draft, items } = menu
    const did = query.get('did') ?? ''
    if (did === 'moved-in' || did === 'copied-in') return describeTransfer(workspace, call, menu)
    if ((did === 'undo' || did === 'redo') && draft !== null) {
      const turned = describeTurned(draft, items, did, t, chainOf(t))
      const other = await describeOther(workspace, call, draft, did)
      return other === null ? turned : { ...turned, ...other, text: `${turned.text} ${other.text}` }
    }
    const { discarded: discard, settingsChanged: settings } = t.editor
    const count = Number(query.get('count')) || 0
    const texts = new Map(
      Object.entries({
        ...{ discard, settings, created: describeCreated(menu, t) },
        'taken-over': t.takeOver.done,
        ...{ 'other-used': t.otherVersion.used, 'other-left': t.otherVersion.left },
        ...(draft && { translated: toAdded(t, query) }),
      }),
    )
    const text = texts.get(did)
    if (text !== undefined) return { text }
    const all = ALL_KINDS.find((each) => `${each}-all` === did)
    if (all !== undefined && draft !== null) return { text: t.fill(t.tree.did[all], { count }) }
    const kind = KINDS.find((each) => each === did)
    if (kind === undefined || draft === null) return null
    const at = query.get(kind === 'remove' ? 'was' : 'at') ?? ''
    const place = kind === 'remove' ? itemsBeside(draft, -1) : items
    const item = place === null ? null : findItem(place, at)
    if (item === null || item.parent === null) return null
    const outcome = describeOutcome({ kind, item }, t.actions, chainOf(t))
    const lacking = kind === 'set' || kind === 'add' ? missingIn(item.item['label'], needed) : []
    const locales = toLanguageNames(lacking, t.lang)
    const more = lacking.length === 0 ? [] : [t.fill(t.languages.lacking, { locales })]
    return { text: [outcome, ...more].join(' ') }
  }

  const refusedPage = (call: Call, menu: EditedMenu, fault: StepFault, pointer: string) => {
    const { t } = call
    if (fault === 'stale')
      return page(call, menu, null, { errors: [toError(null, t.editor.stale)], status: 409 })
    const reason = describeRefusal(fault, findItem(menu.items, pointer), t.actions, chainOf(t))
    const text = pointer === '' && fault.reason === 'same' ? t.tree.same : reason
    return page(call, menu, null, { errors: [toError(null, text)] })
  }

  /** What the bar of the chosen items does, or where it is asked where they go. */
  const submitAll = async (call: Call, form: Fields, menu: EditedMenu): Promise<PageReply> => {
    const { operator, t } = call
    const names = [...form.keys()].flatMap((name) => (name.startsWith(PICK) ? [name.slice(PICK.length)] : []))
    const kind = form.get('do') ?? ''
    if (names.length === 0) return page(call, menu, null, { errors: [toError(null, t.tree.none)] })
    const asked = kind === 'place' || kind === 'transfer' ? kind : null
    const pointers = names.map(fromShortName)
    const { value: chosen, fault: missing } = chooseItems(menu.items, pointers)
    if (missing !== null) return refusedPage(call, menu, missing, '')
    if (asked !== null) return { location: to(asked, menu.file, { items: names.join('.') }) }
    const action = toShared(kind, form)
    if (action === null) throw new Refusal(UNKNOWN)
    const wish = {
      state: form.get('state') ?? '',
      wish: JSON.stringify([action, names]),
      key: form.get('key'),
    }
    const { value: step, fault } = takeStep(workspace, operator.id, menu, wish, () =>
      actOnAll(menu.items, pointers, action, limits),
    )
    if (fault !== null) return refusedPage(call, menu, fault, '')
    const at = step.pointer ?? ''
    return {
      location: to('edit', menu.file, { did: `${action.kind}-all`, count: String(chosen.length), at }),
    }
  }

  return {
    role: 'view',
    show: async (call) => {
      const file = fileIn(call)
      const { value: menu, fault } = await attempt(() => findEdited(workspace, call.operator, file))
      if (fault === null) return page(call, menu, await noticeOf(call, menu))
      const found = current().files.find(({ path }) => path === file)
      if (fault.code !== 'broken-file' || found === undefined) throw new Refusal(fault)
      const problems = found.problems.filter(isError).slice(0, MOST_PROBLEMS)
      return { template: 'broken', model: { title: call.t.editor.brokenTitle, file, problems } }
    },
    submit: async (call, form) => {
      const { operator } = call
      const file = fileIn(call)
      const menu = findEdited(workspace, operator, file, form.get('state'))
      const kind = form.get('do') ?? ''
      const pointer = form.get('item') ?? ''
      const wish = { state: form.get('state') ?? '', wish: `${kind} ${pointer}`, key: form.get('key') }
      if (kind === 'discard') {
        if (wish.state !== menu.state) return refusedPage(call, menu, 'stale', '')
        if (menu.draft !== null && isSame(menu.base, menu.disk)) clearDraft(workspace, operator, menu)
        else if (menu.draft !== null)
          discardDraft(workspace, operator, { id: menu.draft.id, revision: null, isDry: false })
        return { location: menu.disk === null ? home : to('edit', file, { did: kind }) }
      }
      if (kind === 'undo' || kind === 'redo') {
        const { value: step, fault } = turnBack(workspace, operator.id, menu, wish, kind)
        if (fault !== null) return refusedPage(call, menu, fault, '')
        await turnOther(workspace, call, step.draft, kind)
        return { location: to('edit', file, { did: kind }), draft: step.draft }
      }
      if (kind === 'publish') {
        const { value, fault } = await attempt(() => publishAtOnce(workspace, call, menu, wish.state))
        if (fault === null) return { location: value ?? to('review', file) }
        return page(call, menu, null, { errors: [toFormError(call.t, fault)], status: fault.status })
      }
      if (!form.has('item') && OF_ALL.includes(kind)) return submitAll(call, form, menu)
      const simple = SIMPLE_ACTIONS.find((each) => each === kind)
      if (simple === undefined) throw new Refusal(UNKNOWN)
      const { value: step, fault } = takeStep(workspace, operator.id, menu, wish, () =>
        act(menu.items, pointer, { kind: simple }, limits),
      )
      if (fault !== null) return refusedPage(call, menu, fault, pointer)
      const { pointer: after, draft } = step
      if (after === null) return { location: to('edit', file), draft }
      const where = kind === 'remove' ? { was: pointer, at: after } : { at: after }
      return { location: to('edit', file, { did: kind, ...where }), draft }
    },
  }
}

/** All kinds that a sentence can be about. */
const KINDS: readonly Action['kind'][] = [...SIMPLE_ACTIONS, 'move', 'add', 'set']

/** An item and the items above it, by their pointers. */
function ancestorsOf(item: PlacedItem): readonly string[] {
  return withAncestors(item).map(({ pointer }) => pointer)
}

const UNKNOWN = {
  status: 400,
  code: 'unknown-action',
  detail: 'No button of a page sends this.',
}
