import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isEqual } from '../../../src/change/json.js'
import { editMenuText } from '../../../src/document/edit/edit-menu.js'
import { pairItems } from '../../../src/document/edit/pairs.js'
import { readLayout } from '../../../src/document/edit/read-layout.js'
import { type Change, changes } from './changes.js'

const RUNS = { numRuns: 400 }

/** What a text says. */
function read(text: string) {
  const { layout, fault } = readLayout(text.replace(/^\ufeff/, ''))
  if (layout === null) throw new Error(fault)
  return layout.value
}

/** The text after an edit. */
function edit(text: string, after: Parameters<typeof editMenuText>[1]): string {
  const edited = editMenuText(text, after)
  if (edited.fault !== null) throw new Error(edited.fault)
  return edited.text
}

/** A law over all menus whose formatting came out as YAML that says what it shall. */
function law(judge: (change: Change) => void): void {
  const isRead = ({ before, formatted: { text } }: Change): boolean => {
    const { layout } = readLayout(text.replace(/^\ufeff/, ''))
    return layout !== null && isEqual(layout.value, before)
  }
  fc.assert(fc.property(changes.filter(isRead), judge), RUNS)
}

test('The text says what it shall, and edited back what it said', () => {
  law(({ before, after, formatted: { text } }) => {
    const edited = edit(text, after)
    assert.ok(isEqual(read(edited), after))
    assert.ok(isEqual(read(edit(edited, before)), before))
  })
})

test('A text that already says it stays as it is', () => {
  law(({ before, formatted: { text } }) => assert.is(edit(text, before), text))
})

test('Each comment is there once, unless its item is not', () => {
  law(({ before, after, formatted: { text, comments } }) => {
    const edited = edit(text, after)
    const kept = new Set(pairItems(before, after).values())
    for (const [comment, owner] of comments) {
      if (owner !== null && !kept.has(owner)) continue
      assert.is(edited.split(comment).length - 1, 1, `${comment} of ${owner}`)
    }
  })
})

test.run()
