import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { mergeDocuments } from '../../../src/document/merge/merge-documents.js'
import { mergeTexts } from '../../../src/store/git/merge.js'
import { sized } from '../../support/figures.js'
import { yaml } from '../../support/yaml.js'
import { documentOf } from '../edit/reading.js'
import { type BranchTexts, faultsOf, storyOf, textsOf } from './judged.js'
import { branchings } from './keyed-menus.js'

/** Merges texts as the driver does where lines alone do not help. */
async function merge(texts: BranchTexts) {
  const { base, mine, theirs } = texts
  const documents = { base: documentOf(base), mine: documentOf(mine), theirs: documentOf(theirs) }
  const merged = await mergeDocuments(documents, null, mergeTexts)
  if (merged.fault !== null) throw new Error(merged.fault)
  const { merged: found, mine: kept, keeping } = merged.value
  return {
    isClean: found.conflicts.length === 0,
    mine: kept.text,
    theirs: keeping('theirs').value?.text ?? '',
  }
}

test('No comment of any kind is lost or doubled except with its item, and items match their keys', async () => {
  await fc.assert(
    fc.asyncProperty(branchings, async (branching) => {
      const result = await merge(textsOf(branching))
      const faults = faultsOf(branching, result)
      assert.equal(faults, [], storyOf(branching, result, faults))
    }),
    // One in thousands dissolves a section and wraps half of it in another: whether that is the same is a matter of taste.
    { numRuns: sized(60, 500), seed: 20261125 },
  )
})

const HEAD = 'version: 1\ncode: main\nname: Main\n'

test('A comment that a merge of lines lost returns above the nearest item that has lines of its own', async () => {
  const base = `${HEAD}items:\n  - label: Shop\n    url: /s\n    children: [ { label: A, url: /a } ]\n`
  const theirs = base.replace('[ {', '[\n      # about A\n      {')
  const documents = { base: documentOf(base), mine: documentOf(base), theirs: documentOf(theirs) }
  const { value } = await mergeDocuments(documents, base, mergeTexts)
  assert.is(value?.mine.text, base.replace('  - label: Shop', '  # about A\n  - label: Shop'))
})

test('Of a comment that a merge of lines doubled, behind a value or in a line of its own, one stays', async () => {
  const text = `${HEAD}items:\n  - label: Shop # note\n    url: /s\n`
  const document = documentOf(text)
  const same = { base: document, mine: document, theirs: document }
  for (const doubled of [text.replace('/s\n', '/s  # note\n'), `${text}    # note\n`]) {
    const { value } = await mergeDocuments(same, doubled, mergeTexts)
    assert.is(value?.mine.text, text)
  }
})

test('The comments at the end of the last item stay there once when the other side nests a branch in it', async () => {
  const last = yaml`
    items:
      - label: Last
        url: /last
        # own
         # inside
  `
  const first = yaml`
      - label: First
        url: /first
        children:
            - label: Branch
              url: /branch
              children:
                  - label: Leaf
                    url: /leaf
  `
  const base = HEAD + last.replace('items:\n', `items:\n${first.replaceAll(/^/gm, '  ').trimEnd()}\n`)
  const theirs =
    HEAD +
    yaml`
    items:
      - label: First
        url: /first
      - label: Last
        url: /last
        # own
        children:
            - label: Branch
              url: /branch
              children:
                  - label: Leaf
                    url: /leaf
        # inside
  `
  for (const texts of [
    { base, mine: HEAD + last, theirs },
    { base, mine: theirs, theirs: HEAD + last },
  ]) {
    const { isClean, mine } = await merge(texts)
    assert.ok(isClean)
    for (const comment of ['# own', '# inside']) assert.is(mine.split(comment).length, 2, mine)
  }
})

test('A comment between items that both sides moved among them is there once', async () => {
  const item = (label: string): string => `  - label: ${label}\n    url: /${label}\n`
  const note = '\n  # between\n\n'
  const of = (...parts: readonly string[]): string => `${HEAD}items:\n${parts.join('')}`
  const base = of(item('A'), item('B'), note, item('C'), item('D'))
  const mine = of(item('A'), item('B'), note, item('C').replace('/C', '/c'), item('D'))
  const theirs = of(item('D'), note, item('B'), item('A'), item('C'))
  const merged = await merge({ base, mine, theirs })
  assert.is(merged.mine.split('# between').length, 2, merged.mine)
})

test('One comment that each side wrote at an item of its own is there for each', async () => {
  const item = (label: string): string => `  # new\n  - label: ${label}\n    url: /${label}\n`
  const base = `${HEAD}items:\n${item('A')}`
  const merged = await merge({ base, mine: base + item('M'), theirs: base + item('T') })
  assert.is(merged.mine, base + item('T') + item('M'))
})

test.run()
