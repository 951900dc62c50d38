import { act, findItem } from '../../../change/actions/action.js'
import { describeRefusal, toName } from '../../../change/actions/outcome.js'
import { takeOut } from '../../../change/actions/places.js'
import { refuse } from '../../../change/actions/refusal.js'
import { withFreeIds } from '../../../change/branch.js'
import type { PlacedItem } from '../../../change/items.js'
import { labelChain } from '../../../model/locale.js'
import { done, failed, type Result } from '../../../model/result.js'
import type { HttpProblem } from '../../../web/problem-json.js'
import { problemOf } from '../../api/faults.js'
import { type FormError, toError, toErrorOf } from '../form-error.js'
import { createMeasure, readSearch, toMenuRows } from '../menu-rows.js'
import type { Answered, Call, Fields, Page } from '../page.js'
import type { Shown } from '../shown.js'
import type { Texts } from '../texts/en.js'
import { toAddresses } from './addresses.js'
import { type EditedMenu, findEdited } from './edited-menu.js'
import { besideOf, readPosition, toParents } from './parents.js'
import { type StepFault, takeStep } from './steps.js'

/** Menus that the page offers; a search finds the others. */
const MOST_MENUS = 50

/** A branch, and the menu that it goes to; null until one is chosen. */
interface Subject {
  readonly menu: EditedMenu
  /** Null where nothing is at the pointer, as after a move. */
  readonly item: PlacedItem | null
  readonly target: EditedMenu | null
}

/**
 * Moves or copies an item, with all below it, to the draft of another menu. First it is there, then it is gone here, so that
 * nothing is lost whatever happens between; what visitors see changes with the publish of each.
 */
export function transferPage(deps: Shown, home: string): Page {
  const { editing, current, settings, config } = deps
  const { limits } = config.options
  const to = toAddresses(home)
  const measure = createMeasure([])
  const namesIn = (t: Texts) => {
    const chain = labelChain(t.lang, settings.locales)
    return { chain, nameOf: (each: PlacedItem): string => toName(each.item, t.actions, chain) }
  }

  const page = (
    { t, query }: Call,
    { menu, item, target }: Subject,
    form: Fields,
    errors: readonly FormError[] = [],
    status = 200,
  ): Answered => {
    if (item === null) return failed(problemOf('no-item'))
    const { nameOf } = namesIn(t)
    const { file } = menu
    const { q, words } = readSearch(query)
    const rows = target !== null ? [] : toMenuRows(current(), [], words, measure)
    const others = rows.filter((row) => row.file !== file && row.code !== null && row.errors.length === 0)
    const at = { item: item.pointer }
    const model = {
      title: t.transfer.title(nameOf(item)),
      current: 'menus',
      ...{ file, q, errors, item: item.pointer },
      state: menu.state,
      back: to.edit(file, { open: item.pointer }),
      chooser: to.transfer(file, at),
      below: menu.items.all.filter(({ pointer }) => pointer.startsWith(`${item.pointer}/`)).length,
      menus: others
        .slice(0, MOST_MENUS)
        .map((row) => ({ ...row, href: to.transfer(file, { ...at, to: row.file }) })),
      hasMore: others.length > MOST_MENUS,
      target: target && {
        file: target.file,
        state: target.state,
        name: String((target.change.value as { readonly name?: unknown }).name ?? target.file),
        here: to.transfer(file, { ...at, to: target.file }),
        parents: toParents(target.items, nameOf, null),
      },
      parent: form.get('parent') ?? '',
      position: form.get('position') ?? '',
      errorOf: toErrorOf(errors),
    }
    return done({ template: 'transfer', model, status })
  }

  const find = ({ operator, query }: Call, form: Fields = new Map()): Result<Subject, HttpProblem> => {
    const [file, other] = [query.get('file') ?? '', query.get('to')]
    const { value: menu, fault } = findEdited(deps, operator, file, form.get('state'))
    if (fault !== null) return failed(fault)
    const found = findItem(menu.items, query.get('item') ?? '')
    const item = found?.parent == null ? null : found
    if (other === undefined) return done({ menu, item, target: null })
    if (other === file) return failed(problemOf('same-file'))
    const { value: target, fault: noTarget } = findEdited(deps, operator, other, form.get('toState'))
    return noTarget === null ? done({ menu, item, target }) : failed(noTarget)
  }

  const submit = (call: Call, form: Fields, subject: Subject, target: EditedMenu): Answered => {
    const { t, operator, query } = call
    const { menu, item } = subject
    const isMove = form.get('do') === 'move'
    const parent = form.get('parent') ?? ''
    const position = readPosition(form)
    const wish = `transfer ${menu.file} ${query.get('item')} ${isMove} ${parent} ${position}`
    const refused = (fault: StepFault): Answered => {
      if (fault.kind === 'problem') return failed(fault.problem)
      if (fault.kind === 'stale') return page(call, subject, form, [toError(null, t.editor.stale)], 409)
      const text = describeRefusal(fault.refusal, item, t.actions, namesIn(t).chain)
      return page(call, subject, form, [toError('parent', text)], 422)
    }
    const [state, toState] = [form.get('state') ?? '', form.get('toState') ?? '']
    // One of both has changed: nothing is done, unless the other one has changed by this very form.
    if (state !== menu.state && toState === target.state) return refused({ kind: 'stale' })
    const taken = takeStep(editing, operator.id, target, { state: toState, wish }, () => {
      if (item === null) return refuse('gone')
      const { pointer, where } = besideOf(target.items, parent, position)
      return act(target.items, pointer, { kind: 'add', where, item: withFreeIds(item, target.items) }, limits)
    })
    if (taken.fault !== null) return refused(taken.fault)
    const left =
      isMove &&
      takeStep(editing, operator.id, menu, { state, wish }, () =>
        item === null ? refuse('gone') : done(takeOut(item)),
      )
    if (left && left.fault !== null) return refused(left.fault)
    const { pointer } = taken.value
    const did = { did: isMove ? 'moved-in' : 'copied-in', from: menu.file }
    return done({ location: to.edit(target.file, pointer === null ? {} : { ...did, at: pointer }) })
  }

  return {
    role: 'edit',
    show: (call) => {
      const { value: subject, fault } = find(call)
      return fault === null ? page(call, subject, new Map()) : failed(fault)
    },
    submit: (call, form) => {
      const { value: subject, fault } = find(call, form)
      if (fault !== null) return failed(fault)
      return subject.target === null ? page(call, subject, form) : submit(call, form, subject, subject.target)
    },
  }
}
