import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { placedItems } from '../../../src/change/items.js'
import { isMap, type Json } from '../../../src/model/json.js'
import { blameItems, POSITION } from '../../../src/review/history/menu-blame.js'
import { createMenuHistory } from '../../../src/review/history/menu-history.js'
import { changesOf } from '../../../src/review/history/menu-log.js'
import { openRepository, type Repository } from '../../../src/store/git/repository.js'
import { sized } from '../../support/figures.js'
import { DEFAULT_LIMITS } from '../../support/limits.js'
import { createRepository } from '../../support/repository.js'

/**
 * The model: what each commit says of each item, by ids that our matching never sees, and who made each field so. It
 * knows nothing of how items are matched or histories are read, only the rule for one commit: what a field is in one of
 * the parents it is from the first of them that has it so; what it is in none is of the commit.
 */
interface Field {
  readonly value: string
  readonly by: string
}
/** `section` is the field of the position: the section that the item is in. */
type Item = ReadonlyMap<string, Field>
interface State {
  readonly name: string
  readonly path: string
  readonly items: ReadonlyMap<string, Item>
  /** Shuffles each section; 0 sorts it by ids. */
  readonly order: number
}

const FIELDS = ['label.en', 'label.es', 'url', 'icon', 'attributes.rel', 'x-note', 'section']
const IDS = ['a', 'b', 'c', 'd', 'e']
const SECTIONS = ['north', 'south']

/** What a commit does: to which items what, and which parents it has, as numbers that are taken modulo what there is. */
interface Wish {
  readonly parents: readonly number[]
  readonly edits: readonly (readonly [id: string, field: string, value: number])[]
  readonly drops: readonly string[]
  readonly adds: readonly string[]
  readonly file: number
  /** Which parent a merge takes each field from, before it edits. */
  readonly takes: number
}

const wishes: fc.Arbitrary<readonly Wish[]> = fc.array(
  fc.record({
    parents: fc.oneof(
      { weight: 3, arbitrary: fc.tuple(fc.nat(2)) },
      { weight: 3, arbitrary: fc.array(fc.nat(6), { minLength: 2, maxLength: 2 }) },
      { weight: 1, arbitrary: fc.array(fc.nat(9), { minLength: 3, maxLength: 3 }) },
      { weight: 1, arbitrary: fc.constant([]) },
    ),
    edits: fc.array(fc.tuple(fc.constantFrom(...IDS), fc.constantFrom(...FIELDS), fc.nat(3)), {
      maxLength: 3,
    }),
    drops: fc.array(fc.constantFrom(...IDS), { maxLength: 1 }),
    adds: fc.array(fc.constantFrom(...IDS), { maxLength: 2 }),
    file: fc.nat(9),
    takes: fc.nat(1 << 20),
  }),
  { minLength: 3, maxLength: 14 },
)

/** The values that a field may have; a field that is absent has `''`. */
const toValue = (id: string, field: string, value: number): string =>
  field === 'section' ? (SECTIONS[value % 2] ?? '') : value === 0 ? '' : `${id}${field[0]}${value}`

function toState(wish: Wish, name: string, parents: readonly State[], isShuffled: boolean): State {
  const values = new Map<string, Map<string, string>>()
  const ids = [...new Set(parents.flatMap(({ items }) => [...items.keys()]))]
  for (const [place, id] of ids.entries()) {
    const having = parents.filter(({ items }) => items.has(id))
    // Of a merge that has an item only in some parents: one that took it away there, or one that keeps it.
    if (having.length < parents.length && ((wish.takes >> place) & 3) === 0) continue
    const taken = FIELDS.map((field, at) => {
      const source = having[(wish.takes >> ((place + at) % 18)) % having.length]
      return [field, source?.items.get(id)?.get(field)?.value ?? ''] as const
    })
    values.set(id, new Map(taken))
  }
  for (const id of wish.adds) {
    if (values.has(id)) continue
    const fresh = FIELDS.map(
      (field, at) => [field, toValue(id, field, ((wish.takes >> at) % 3) + 1)] as const,
    )
    values.set(id, new Map(fresh))
  }
  for (const [id, field, value] of wish.edits) values.get(id)?.set(field, toValue(id, field, value))
  for (const id of wish.drops) values.delete(id)
  const items = new Map(
    [...values].sort().map(([id, fields]) => {
      // A label needs a text, a link an address.
      if ((fields.get('label.en') ?? '') === '') fields.set('label.en', `${id}l0`)
      if ((fields.get('url') ?? '') === '') fields.set('url', `${id}u0`)
      const own = [...fields].map(([field, value]) => {
        const source = parents.find(({ items }) => items.get(id)?.get(field)?.value === value)
        return [field, { value, by: source?.items.get(id)?.get(field)?.by ?? name }] as const
      })
      return [id, new Map(own)]
    }),
  )
  const before = parents[wish.takes % Math.max(1, parents.length)]?.path ?? 'menus/main.yaml'
  const path = wish.file === 0 ? `menus/${name}.yaml` : before
  const state = { name, path, items, order: isShuffled ? wish.takes : 0 }
  // What is one of its parents as a whole, is of it as a whole.
  const same = parents.find((parent) => parent.path === path && toText(parent) === toText(state))
  return same === undefined ? state : { ...state, items: same.items }
}

function toText({ items, order }: State): string {
  const toRank = (id: string): number => (id.charCodeAt(0) * order) % 31
  const rows = SECTIONS.map((section) => {
    const own = [...items].filter(([, fields]) => fields.get('section')?.value === section)
    own.sort(([a], [b]) => toRank(a) - toRank(b))
    const children = own.map(([id, fields]) => {
      const get = (field: string): string => fields.get(field)?.value ?? ''
      const label = { en: get('label.en'), ...(get('label.es') !== '' && { es: get('label.es') }) }
      return JSON.stringify({
        id,
        label,
        url: `/${get('url')}`,
        ...(get('icon') !== '' && { icon: `i:${get('icon')}` }),
        ...(get('attributes.rel') !== '' && { attributes: { rel: get('attributes.rel') } }),
        ...(get('x-note') !== '' && { 'x-note': get('x-note') }),
      })
    })
    const list = children.map((child) => `      - ${child}\n`).join('')
    const head = `  - id: ${section}\n    type: section\n    label: ${section}\n`
    return `${head}    children:${list === '' ? ' []' : `\n${list}`}${list === '' ? '\n' : ''}`
  })
  return `version: 1\ncode: main\nname: Main # ${order}\nitems:\n${rows.join('')}`
}

/** Whether a merge has a field that none of its parents has so, or lacks an item that all of them have. */
function hasOwnChange({ name, items }: State, parents: readonly State[]): boolean {
  const isLost = [...(parents[0]?.items.keys() ?? [])].some(
    (id) => !items.has(id) && parents.every((parent) => parent.items.has(id)),
  )
  return isLost || [...items.values()].some((fields) => [...fields.values()].some(({ by }) => by === name))
}

/** The commits as `git fast-import` reads them. */
function toStream(states: readonly State[], parents: readonly (readonly number[])[], ref: string): string {
  return states
    .map((state, at) => {
      const own = parents[at] ?? []
      const from = own.map((parent, place) => `${place === 0 ? 'from' : 'merge'} :${parent + 1}\n`).join('')
      const text = toText(state)
      const onto = own.length === 0 ? `reset ${ref}\n` : ''
      return `${onto}commit ${ref}\nmark :${at + 1}\ncommitter A <a@example.org> ${at + 1} +0000\ndata ${state.name.length}\n${state.name}\n${from}deleteall\nM 100644 inline ${state.path}\ndata ${Buffer.byteLength(text)}\n${text}\n`
    })
    .join('')
}

test('In any history of commits and merges, each field comes from the commit of the model, and the log has the merges that changed something', async () => {
  const repository = createRepository()
  const { value } = await openRepository(repository.dir)
  const opened = value as Repository
  let branch = 0
  await fc.assert(
    fc.asyncProperty(wishes, fc.boolean(), async (list, isShuffled) => {
      const ref = `refs/heads/b${branch++}`
      const states: State[] = []
      const parents: (readonly number[])[] = []
      for (const [at, wish] of list.entries()) {
        // Back from the newest: forks, criss-cross and octopus merges, and histories that have nothing in common.
        const back = wish.parents.map((distance) => at - 1 - (distance % Math.max(1, at)))
        const own = at === 0 ? [] : [...new Set(back)]
        parents.push(own)
        const before = own.flatMap((each) => states[each] ?? [])
        states.push(toState(wish, `c${at}`, before, isShuffled))
      }
      const input = toStream(states, parents, ref)
      const { status, stderr } = spawnSync('git', ['fast-import', '--quiet', '--force'], {
        cwd: repository.dir,
        input,
        encoding: 'utf8',
      })
      assert.is(status, 0, stderr)
      const tip = states.at(-1) as State
      const history = createMenuHistory(opened, DEFAULT_LIMITS)
      const version = await history.latest(ref, tip.path)
      if (version === null) throw new Error('the file is not there')
      const menu = (await history.value(version)) as Json
      const origins = await blameItems(history, { value: menu, version, before: [] }, () => {})
      const told = placedItems(menu).flatMap(({ item, pointer, parent }) => {
        if (parent?.pointer === '' || !isMap(item)) return []
        const fields = origins.get(pointer) ?? []
        // Which of the shuffled items moved is not for the model to say.
        const hidden = isShuffled ? ['id', POSITION] : ['id']
        const own = fields.filter(({ kind, field }) => kind !== 'removed' && !hidden.includes(field))
        return own.map(({ field, commit }) => `${item['id']} ${field} ${commit?.subject}`)
      })
      const known = [...tip.items].flatMap(([id, fields]) =>
        [...fields]
          .filter(([field, { value }]) => value !== '' && !(isShuffled && field === 'section'))
          .map(([field, { by }]) => `${id} ${field === 'section' ? POSITION : field} ${by}`),
      )
      assert.equal(told.sort(), known.sort(), `${input}\n`)
      if (isShuffled) return
      const logged = new Set<string>()
      for await (const change of changesOf(history, [version], ['en']))
        logged.add(change.version.commit.subject)
      for (const [at, own] of parents.entries()) {
        const state = states[at] as State
        const before = own.flatMap((parent) => states[parent] ?? [])
        if (own.length < 2 || before.some(({ path }) => path !== state.path)) continue
        const isOwn = hasOwnChange(state, before)
        if (logged.has(state.name)) assert.ok(isOwn, `${state.name} did nothing by itself\n${input}`)
        if (state === tip) assert.is(logged.has(tip.name), isOwn, `the merge ${tip.name}\n${input}`)
      }
    }),
    { numRuns: sized(30, 300), includeErrorInReport: true },
  )
  repository.close()
})

test.run()
