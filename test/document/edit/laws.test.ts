import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isMap, isSeq, parseDocument } from 'yaml'
import { applyOperations } from '../../../src/change/operations/apply.js'
import { isEqual, isMap as isJsonMap, isList, type Json } from '../../../src/model/json.js'
import { readAt } from '../../change/menu-model.js'
import { sized } from '../../support/figures.js'
import { type Change, changes } from './changes.js'
import { trackItems } from './hidden-keys.js'
import { edit, meaningOf, says, write } from './reading.js'

const RUNS = { numRuns: sized(75, 1_000), includeErrorInReport: true }

/** The text after operations. */
function operate({ before, operations, formatted: { text } }: Change): string {
  const change = applyOperations(before, operations)
  if (change.fault !== null) throw new Error(change.fault.reason)
  return write(text, change.value)
}

/** A law over all menus whose formatting came out as YAML that says what it shall. */
function law(judge: (change: Change) => void): void {
  const isRead = ({ before, formatted: { text } }: Change): boolean => says(text, before)
  fc.assert(fc.property(changes.filter(isRead), judge), RUNS)
}

test('The edited text has the new value, and edited back the old one', () => {
  law((change) => {
    const { before, after } = change
    const edited = operate(change)
    assert.ok(isEqual(meaningOf(edited), after))
    assert.ok(isEqual(meaningOf(edit(change.formatted.text, after)), after))
    assert.ok(isEqual(meaningOf(edit(edited, before)), before))
  })
})

test('A text that already has the value stays as it is', () => {
  law(({ before, formatted: { text } }) => assert.is(edit(text, before), text))
})

test('Each comment is there once, unless its item is not', () => {
  law((change) => {
    const edited = operate(change)
    const kept = new Set(trackItems(change.before, change.operations).values())
    for (const [comment, owner] of change.formatted.comments) {
      if (owner !== null && !kept.has(owner)) continue
      assert.is(edited.split(comment).length - 1, 1, `${comment} of ${owner}`)
    }
  })
})

test('The lines of an item that did not change are there as they were, indented for their place', () => {
  law((change) => {
    const { before, after, operations, formatted } = change
    const edited = operate(change)
    const inBraces = itemsInBraces(edited)
    const pairs = trackItems(before, operations)
    const result = toLines(edited)
    const stripped = `\n${result.map((line) => line.trimStart()).join('\n')}\n`
    for (const [now, old] of pairs) {
      const own = formatted.lines.get(old)
      // In brackets an item has no lines of its own.
      if (own === undefined || inBraces.has(now) || !isSameButBelow(before, old, after, now)) continue
      const isMoved = !staysIn(old, now, pairs)
      const sought = `\n${own.map((line) => (isMoved ? line.trimStart() : line)).join('\n')}\n`
      const found = isMoved ? stripped : `\n${result.join('\n')}\n`
      assert.ok(found.includes(sought), `${old} is no longer there as it was: ${sought}`)
    }
  })
})

test('New lines end as the others do, and what had no final line break, or a byte order mark, is so again', () => {
  law((change) => {
    const edited = operate(change)
    const { text } = change.formatted
    if (text.includes('\r\n')) assert.is(/(?<!\r)\n/.test(edited), false)
    else assert.is(edited.includes('\r'), false)
    // An end of its own is nothing that an empty text could do without.
    assert.is(edited.endsWith('\n'), text.endsWith('\n'))
    assert.is(edited.startsWith('\ufeff'), text.startsWith('\ufeff'))
  })
})

/** The items that have no lines of their own: in brackets, or behind something else than their dash. */
function itemsInBraces(text: string): ReadonlySet<string> {
  const found = new Set<string>()
  const source = text.replace(/^\ufeff/, '')
  const walk = (list: unknown, at: string): void => {
    if (!isSeq(list)) return
    for (const [place, item] of list.items.entries()) {
      if (!isMap(item)) continue
      const start = item.range?.[0] ?? 0
      const before = source.slice(source.lastIndexOf('\n', start) + 1, start)
      const isBehind = !/^[ ]*-?[ ]*$/.test(before)
      if (item.flow === true || list.flow === true || isBehind) found.add(`${at}/${place}`)
      walk(item.get('children', true), `${at}/${place}/children`)
    }
  }
  const root = parseDocument(source).contents
  if (isMap(root)) walk(root.get('items', true), '/items')
  return found
}

function toLines(text: string): readonly string[] {
  return text.replace(/^\ufeff/, '').split(/\r?\n/)
}

function isSameButBelow(before: Json, old: string, after: Json, now: string): boolean {
  const [a, b] = [readAt(before, old), readAt(after, now)]
  if (!isJsonMap(a) || !isJsonMap(b) || isList(a['children']) !== isList(b['children'])) return false
  return isEqual({ ...a, children: null }, { ...b, children: null })
}

/** Whether an item and all that is around it are below the same items as before. */
function staysIn(old: string, now: string, pairs: ReadonlyMap<string, string>): boolean {
  const [outerOld, outerNow] = [old, now].map((each) => each.split('/').slice(0, -2).join('/'))
  if (outerOld === '' && outerNow === '') return true
  if (outerOld === undefined || outerNow === undefined || pairs.get(outerNow) !== outerOld) return false
  return staysIn(outerOld, outerNow, pairs)
}

test.run()
