import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { neverVisible } from '../../src/document/rules.js'
import { childrenOf, type MenuItem } from '../../src/model/menu.js'
import { type JudgedItem, judgeItems } from '../../src/model/visibility.js'
import { itemLists, RUNS } from '../model/arbitraries.js'

/** An item as its file has it, as far as being seen goes. */
function toRaw(item: MenuItem): unknown {
  const children = item.type === 'divider' ? {} : { children: childrenOf(item).map(toRaw) }
  return { type: item.type, hidden: item.hidden, ...children }
}

/** The pointers of the outermost sections that go although the viewer may see everything. */
function emptied(judged: readonly JudgedItem[], pointer: string): readonly string[] {
  return judged.flatMap(({ fate, children }, place) => {
    const at = `${pointer}/${place}/children`
    return fate === 'emptied' ? [at] : fate === 'shown' ? emptied(children, at) : []
  })
}

test('the reported sections are those that disappear for a viewer with every permission', () => {
  fc.assert(
    fc.property(itemLists, (items) => {
      const told = neverVisible(items.map(toRaw), ['items']).map(({ pointer }) => pointer.join('/'))
      assert.equal(
        told,
        emptied(
          judgeItems(items, () => true, null),
          'items',
        ),
      )
    }),
    RUNS,
  )
})

test.run()
