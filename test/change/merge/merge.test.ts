import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { mergeMenus } from '../../../src/change/merge/merge.js'
import type { Json } from '../../../src/model/json.js'

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

test('An empty list that somebody wrote stays', () => {
  const menu = (children?: readonly Json[]): Json => ({
    ...{ version: 1, code: 'main', name: 'Main' },
    items: [{ label: 'a', url: '/a', ...(children !== undefined && { children }) }],
  })
  const x = { label: 'x', url: '/x' }
  assert.equal(mergeMenus(menu([x]), menu([]), menu([x])).value, menu([]))
  assert.equal(mergeMenus(menu([x]), menu([x]), menu([])).value, menu([]))
  assert.equal(mergeMenus(menu([x]), menu([x]), menu()).value, menu())
  assert.equal(mergeMenus(menu([]), menu([]), menu()).value, menu())
  assert.equal(mergeMenus(menu(), menu([]), menu()).value, menu([]))
})

test.run()
