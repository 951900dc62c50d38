import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parse, stringify } from 'yaml'
import { applyOperations } from '../../../src/change/operations/apply.js'
import { mergeInto } from '../../../src/document/merge/merge-into.js'
import type { JsonMap } from '../../../src/model/json.js'
import { changed, type Draft, drafts, menuOf, wishes, withIds } from '../../change/menu-changes.js'
import { itemsIn } from '../../change/menu-model.js'
import { sized } from '../../support/figures.js'
import { documentOf, meaningOf } from '../edit/reading.js'

const RUNS = { numRuns: sized(200, 5_000) }

/** The text of a menu in which each item has a comment with its id above it and another behind its `id`. */
function commented(items: readonly Draft[]): string {
  return stringify(menuOf(items)).replace(
    /^( *- )id: (\w+)\n/gm,
    (_, dash: string, id: string) =>
      `${dash.replace('- ', '')}# above ${id}.\n${dash}id: ${id} # behind ${id}.\n`,
  )
}

/** Gives each item its id first. */
function idFirst(items: readonly Draft[]): Draft[] {
  return items.map(({ id, children, ...rest }) => ({
    ...(id !== undefined && { id }),
    ...rest,
    ...(children !== undefined && { children: idFirst(children) }),
  }))
}

test('Whatever a draft and a pull do, and whichever side is chosen, each item that is left has its comments', () => {
  fc.assert(
    fc.property(drafts, wishes, wishes, fc.constantFrom('mine', 'theirs'), (items, mine, theirs, side) => {
      const before = withIds(items)
      const [base, there] = [before, changed(before, theirs, 't', true)].map((each) =>
        commented(idFirst(each)),
      )
      const value = menuOf(changed(before, mine, 'm', true))
      const change = applyOperations(meaningOf(base ?? ''), [
        { op: 'replace', path: '/items', value: (value as JsonMap)['items'] ?? [] },
      ])
      if (change.fault !== null) throw new Error(change.fault.reason)
      const { merged, written } = mergeInto(
        documentOf(there ?? ''),
        { base: documentOf(base ?? ''), change: change.value },
        () => side,
      )
      assert.is(written.fault, null)
      const text = written.value?.text ?? ''
      assert.equal(parse(text), merged.value)
      for (const { item } of itemsIn(parse(text))) {
        const id = String(item['id'])
        if (id.startsWith('m')) continue
        for (const comment of [`# above ${id}.`, `# behind ${id}.`])
          assert.is(
            text.split(comment).length - 1,
            1,
            `${comment}\n${base}\n--- theirs\n${there}\n--- merged\n${text}`,
          )
      }
    }),
    RUNS,
  )
})

test.run()
