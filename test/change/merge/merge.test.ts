import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { mergeMenus } from '../../../src/change/merge/merge.js'
import type { Json, JsonMap } from '../../../src/model/json.js'
import { itemsIn } from '../menu-model.js'

const STORIES = fileURLToPath(new URL('../../fixtures/merge/', import.meta.url))

/** What became of a merge, beside its value: a line for each conflict. */
function conflictsIn(story: string): readonly string[] {
  const file = join(STORIES, story, 'conflicts.txt')
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
}

function valueIn(story: string, name: string): Json {
  return parse(readFileSync(join(STORIES, story, `${name}.yaml`), 'utf8'))
}

const shown = (pointer: string | null): string => (pointer === '' ? '(menu)' : (pointer ?? '-'))

for (const story of readdirSync(STORIES)) {
  test(story.replaceAll('-', ' '), () => {
    const merged = mergeMenus(valueIn(story, 'base'), valueIn(story, 'mine'), valueIn(story, 'theirs'))
    const conflicts = merged.conflicts.map(({ kind, base, mine, theirs, field }) =>
      [kind, ...[base, mine, theirs].map(shown), shown(field)].join(' '),
    )
    assert.equal(conflicts, conflictsIn(story))
    assert.equal(merged.value, valueIn(story, 'merged'))
  })
}

test('Two items that were moved into each other leave no empty list, whichever side is chosen', () => {
  const item = (label: string, ...children: readonly Json[]): Json =>
    children.length === 0 ? { label, url: `/${label}` } : { label, url: `/${label}`, children }
  const menu = (...items: readonly Json[]): Json => ({ version: 1, code: 'main', name: 'Main', items })
  const [base, mine] = [menu(item('a'), item('b')), menu(item('b', item('a')))]
  const theirs = menu(item('a', item('b')))
  assert.equal(mergeMenus(base, mine, theirs, () => 'mine').value, mine)
  assert.equal(mergeMenus(base, mine, theirs, () => 'theirs').value, theirs)
  const { value } = mergeMenus(base, mine, menu(item('a')), () => 'theirs')
  assert.equal(value, menu(item('a')))
})

test('Where the answers about moves and deletions contradict each other, every item that stays has one place', () => {
  const item = (id: string, ...children: readonly Json[]): Json => ({
    ...{ id, type: 'section', label: id },
    ...(children.length > 0 && { children }),
  })
  const menu = (...items: readonly Json[]): Json => ({ version: 1, code: 'main', name: 'Main', items })
  const base = menu(item('p'), item('x'), item('q'))
  // In mine, x is below what goes; in theirs, it is below q, which is below x in mine.
  const [mine, theirs] = [menu(item('p', item('x', item('q')))), menu(item('q', item('x')))]
  const { value } = mergeMenus(base, mine, theirs, ({ kind }) => (kind === 'delete' ? 'theirs' : 'mine'))
  assert.equal(value, menu(item('x', item('q'))))
})

test('Of two moves into each other and a third, each answer gives every item one place', () => {
  const item = (id: string, ...children: readonly Json[]): Json => ({
    id,
    type: 'section',
    label: id,
    children,
  })
  const menu = (...items: readonly Json[]): Json => ({ version: 1, code: 'main', name: 'Main', items })
  const base = menu(item('a'), item('b'), item('c'), item('d'))
  const mine = menu(item('b', item('a')), item('d', item('c')))
  const theirs = menu(item('a', item('d')), item('c', item('b')))
  for (const answers of ['mine theirs', 'theirs mine', 'mine base', 'base theirs']) {
    const sides = answers.split(' ') as ('base' | 'mine' | 'theirs')[]
    const { value } = mergeMenus(base, mine, theirs, () => sides.shift() ?? 'mine')
    const ids = itemsIn(value).map(({ item: { id } }) => id)
    assert.equal(ids.sort(), ['a', 'b', 'c', 'd'], answers)
  }
})

test('An explicit empty list stays', () => {
  const menu = (children?: readonly Json[] | null): Json => ({
    ...{ version: 1, code: 'main', name: 'Main' },
    items: [{ label: 'a', url: '/a', ...(children !== undefined && { children }) }],
  })
  const x = { label: 'x', url: '/x' }
  assert.equal(mergeMenus(menu([x]), menu([]), menu([x])).value, menu([]))
  assert.equal(mergeMenus(menu([x]), menu([x]), menu([])).value, menu([]))
  assert.equal(mergeMenus(menu([x]), menu([x]), menu()).value, menu())
  assert.equal(mergeMenus(menu([]), menu([]), menu()).value, menu())
  assert.equal(mergeMenus(menu(), menu([]), menu()).value, menu([]))
  assert.equal(mergeMenus(menu([x]), menu([x]), menu(null)).value, menu(null))
  const edited = { ...(menu([]) as JsonMap), items: [{ label: 'a', url: '/a', icon: 'i:a', children: [] }] }
  const deleted = { ...edited, items: [] }
  assert.equal(mergeMenus(menu([]), deleted, edited, () => 'theirs').value, edited)
  assert.equal(mergeMenus(menu([]), edited, deleted, () => 'mine').value, edited)
})

test.run()
