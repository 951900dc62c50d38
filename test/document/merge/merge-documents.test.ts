import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { mergeMenus } from '../../../src/change/merge/merge.js'
import { writeChange } from '../../../src/document/edit/write-change.js'
import { type MenuDocument, readDocument } from '../../../src/document/menu-document.js'
import { mergeDocuments } from '../../../src/document/merge/merge-documents.js'
import { isEqual } from '../../../src/model/json.js'
import { mergeTexts } from '../../../src/store/git/merge.js'
import { changeBetween } from '../../change/between.js'
import { changed, drafts, menuOf, wishes } from '../../change/menu-changes.js'
import { sized } from '../../support/figures.js'
import { DEFAULT_LIMITS } from '../../support/limits.js'
import { yaml } from '../../support/yaml.js'
import { toDice } from '../edit/dice.js'
import { format } from '../edit/formatting.js'
import { documentOf, meaningOf } from '../edit/reading.js'

const forms = fc.array(fc.nat(5039), { minLength: 1, maxLength: 120 })

test('Texts in any formatting are merged to what their menus are merged to, and comments stay', async () => {
  await fc.assert(
    fc.asyncProperty(drafts, wishes, wishes, forms, async (items, first, second, form) => {
      const menu = menuOf(items)
      const { text: base, comments } = format(menu, toDice(form))
      const values = {
        base: menu,
        mine: menuOf(changed(items, first, 'm', false)),
        theirs: menuOf(changed(items, second, 't', false)),
      }
      const before = documentOf(base)
      const [mine = null, theirs = null] = [values.mine, values.theirs].map(
        (value) => writeChange(before, changeBetween(menu, value)).value,
      )
      // Formatting that the editor itself cannot change is not in question here.
      if (mine === null || theirs === null) return
      const merged = await mergeDocuments({ base: before, mine, theirs }, null, mergeTexts)
      if (merged.fault !== null) throw new Error(merged.fault)
      const result = merged.value.mine.text
      for (const [text, side] of [
        [result, 'mine'],
        [merged.value.keeping('theirs').value?.text ?? '', 'theirs'],
        [merged.value.keeping('base').value?.text ?? '', 'base'],
      ] as const) {
        const model = mergeMenus(values.base, values.mine, values.theirs, () => side)
        assert.ok(isEqual(meaningOf(text), model.value), text)
      }
      const model = mergeMenus(values.base, values.mine, values.theirs)
      const kept = new Set(
        [...model.origins.values()].flatMap((origin) =>
          origin.mine !== null && origin.theirs !== null ? [origin.base] : [],
        ),
      )
      for (const [comment, owner] of comments) {
        if (owner !== null && !kept.has(owner)) continue
        if (!mine.text.includes(comment) || !theirs.text.includes(comment)) continue
        assert.ok(
          result.includes(comment),
          `${comment}\n${base}\n--- mine\n${mine.text}\n--- theirs\n${theirs.text}\n--- merged\n${result}`,
        )
      }
    }),
    { numRuns: sized(30, 300) },
  )
})

const HEAD = 'version: 1\ncode: main\nname: Main\n'

/** Merges texts as the driver does where lines alone do not help. */
async function merge(base: string, mine: string, theirs: string): Promise<string> {
  const documents = { base: documentOf(base), mine: documentOf(mine), theirs: documentOf(theirs) }
  const merged = await mergeDocuments(documents, null, mergeTexts)
  if (merged.fault !== null) throw new Error(merged.fault)
  assert.equal(merged.value.merged.conflicts, [])
  return merged.value.mine.text
}

test('Contributions of both sides to one item are in the result, each in its own words', async () => {
  const base =
    HEAD +
    yaml`
    items:
      - label: A
        url: /a
      - label: B
        url: /b
  `
  const mine =
    HEAD +
    yaml`
    items:
      - label:   "B" # the best
        url: /b
      - label: A
        url: /a
  `
  const theirs =
    HEAD +
    yaml`
    items:
      - label: A
        url: /a
      - label: B
        url: /b
        icon:   'lucide:b' # new
      # added
      - { label: C, url: /c } # short
  `
  assert.is(
    await merge(base, mine, theirs),
    HEAD +
      yaml`
      items:
        - label:   "B" # the best
          url: /b
          icon:   'lucide:b' # new
        # added
        - { label: C, url: /c } # short
        - label: A
          url: /a
    `,
  )
})

test('A comment that both sides rewrote is kept in both versions', async () => {
  const of = (comment: string, items: string): string =>
    `${HEAD}items:\n${items.replace('url: /a', `url: /a # ${comment}`)}`
  const [a, b] = ['  - label: A\n    url: /a\n', '  - label: B\n    url: /b\n']
  const merged = await merge(of('old', a + b), of('ours', b + a), of('theirs', a + b))
  assert.is(merged, `${HEAD}items:\n${b}  # theirs\n${a.replace('url: /a', 'url: /a # ours')}`)
})

test('A comment above everything, written by one side alone, is kept', async () => {
  const [a, b] = ['  - label: A\n    url: /a\n', '  - label: B\n    url: /b\n']
  const base = `${HEAD}items:\n${a}${b}`
  assert.is(
    await merge(base, `${HEAD}items:\n${b}${a}`, `# For all\n${base}# The end\n`),
    `# For all\n${HEAD}items:\n${b}${a}# The end\n`,
  )
})

test('Equal items keep each its own comment', async () => {
  const divider = (comment: string): string => `  # ${comment}\n  - type: divider\n`
  const link = (label: string): string => `  - label: ${label}\n    url: /${label}\n`
  const base = [HEAD, 'items:\n', link('a'), divider('first'), link('b'), divider('second'), link('c')].join(
    '',
  )
  const mine = [HEAD, 'items:\n', link('c'), link('a'), divider('first'), link('b'), divider('second')].join(
    '',
  )
  const theirs = [HEAD, 'items:\n', link('a'), link('b'), divider('second'), link('c'), link('d')].join('')
  assert.is(
    await merge(base, mine, theirs),
    `${HEAD}items:\n${link('c')}${link('a')}${link('b')}${divider('second')}${link('d')}`,
  )
})

test('A merge with a conflict reads at most eight texts', async () => {
  let reads = 0
  const of = (text: string): MenuDocument =>
    readDocument('menu.yaml', Buffer.from(text), DEFAULT_LIMITS, () => reads++)
  const menu = (label: string, url: string, more = ''): string =>
    `${HEAD}items:\n  # first\n  - id: a\n    label: ${label}\n    url: ${url} # where\n${more}`
  const added = '  - { label: More, url: /more }\n'
  const documents = {
    base: of(menu('A', '/a')),
    mine: of(menu('Mine', '/a', added)),
    theirs: of(menu('Theirs', '/b')),
  }
  const { value, fault } = await mergeDocuments(documents, null, mergeTexts)
  if (fault !== null) throw new Error(fault)
  assert.is(value.keeping('theirs').value?.text, menu('Theirs', '/b', added))
  assert.is(value.mine.text, menu('Mine', '/b', added))
  assert.ok(reads <= 8, `${reads} texts were read`)
})

test.run()
