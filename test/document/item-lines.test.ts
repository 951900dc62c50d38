import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { childrenOf, type MenuItem } from '../../src/model/menu.js'
import { anyText } from '../support/any-text.js'
import { menuOf, parse } from './parsing.js'

interface Shape {
  readonly label: string
  readonly below: readonly Shape[]
}

/** What is compared of an item. */
interface Seen extends Omit<Shape, 'below'> {
  readonly line: number
  readonly below: readonly Seen[]
}

const labels = anyText().filter((text) => /[a-z]/i.test(text) && !/\p{C}|\p{Z}/u.test(text))
const { shapes } = fc.letrec<{ readonly shapes: readonly Shape[] }>((tie) => ({
  shapes: fc.oneof(
    { maxDepth: 3 },
    fc.constant([]),
    fc.array(fc.record({ label: labels, below: tie('shapes') }), { maxLength: 4 }),
  ),
}))

/** The lines of items in a file, each noted by who writes it. */
function write(items: readonly Shape[], lines: string[], indent: string): readonly Seen[] {
  return items.map(({ label, below }) => {
    lines.push(`${indent}- label: ${JSON.stringify(label)}`)
    const line = lines.length
    lines.push(`${indent}  url: /`)
    if (below.length > 0) lines.push(`${indent}  children:`)
    return { label, line, below: write(below, lines, `${indent}  `) }
  })
}

function toSeen(items: readonly MenuItem[]): readonly Seen[] {
  return items.map((item) => {
    const label = item.type === 'divider' ? '' : String(item.label)
    return { label, line: item.line, below: toSeen(childrenOf(item)) }
  })
}

test('A menu has the items of the file with their lines', () => {
  fc.assert(
    fc.property(shapes, (items) => {
      const lines = ['version: 1', 'code: main', 'name: Main', items.length === 0 ? 'items: []' : 'items:']
      const expected = write(items, lines, '')
      const text = `${lines.join('\n')}\n`
      assert.equal(toSeen(menuOf(parse(Buffer.from(text))).items), expected, text)
    }),
    { numRuns: 200 },
  )
})

test('A menu shows its items as any object does, and nothing in it can be changed', () => {
  const menu = menuOf(parse('version: 1\ncode: main\nname: Main\nitems:\n  - label: Home\n    url: /\n'))
  const windows = ['visibleFrom', 'visibleUntil', 'items', 'boundaries', 'asOf']
  assert.equal(Object.keys(menu), ['line', 'code', 'name', 'context', 'display', ...windows])
  assert.equal({ ...menu }.items, menu.items)
  const values = [menu, menu.context, menu.display, menu.boundaries, menu.items, ...menu.items]
  assert.ok(values.every((value) => Object.isFrozen(value)))
  assert.throws(() => Object.assign(menu, { items: [] }), TypeError)
})

test.run()
