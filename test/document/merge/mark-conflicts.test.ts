import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { markConflicts, sharedLines, toLines } from '../../../src/document/merge/mark-conflicts.js'
import { sized } from '../../support/figures.js'

const texts = fc
  .tuple(
    fc.array(fc.constantFrom('a', 'b', 'c', 'd', '', '  - type: divider'), { maxLength: 12 }),
    fc.boolean(),
  )
  .map(([lines, isEnded]) => lines.join('\n') + (isEnded ? '\n' : ''))

test('The lines that two texts share are equal, in the same order, and some wherever a line is there once in both', () => {
  fc.assert(
    fc.property(texts, texts, (a, b) => {
      const [lines, others] = [toLines(a), toLines(b)]
      const shared = [...sharedLines(lines, others)].sort(([place], [next]) => place - next)
      let [last, otherLast] = [-1, -1]
      for (const [place, otherPlace] of shared) {
        assert.ok(place > last && otherPlace > otherLast)
        assert.is(lines[place], others[otherPlace])
        ;[last, otherLast] = [place, otherPlace]
      }
      if (a === b) assert.is(shared.length, lines.length)
      const isOnce = (line: string): boolean =>
        [lines, others].every((each) => each.filter((other) => other === line).length === 1)
      if (lines.some(isOnce)) assert.ok(shared.length > 0)
    }),
  )
})

/** A text with one part of each conflict, the marks taken out. */
function resolved(text: string, part: 'ours' | 'base' | 'theirs'): string {
  let now: 'both' | 'ours' | 'base' | 'theirs' = 'both'
  let kept = ''
  for (const line of toLines(text)) {
    if (line.startsWith('<<<<<<<')) now = 'ours'
    else if (line.startsWith('|||||||')) now = 'base'
    else if (line.startsWith('=======')) now = 'theirs'
    else if (line.startsWith('>>>>>>>')) now = 'both'
    else if (now === 'both' || now === part) kept += line
  }
  return kept
}

/** Lines as menus have them: items whose keys repeat, and whose values do not. */
const menus = fc
  .array(
    fc.oneof(
      fc.constantFrom('A', 'B', 'C').map((label) => `  - label: ${label}\n`),
      fc.constantFrom('a', 'b').map((path) => `    url: /${path}\n`),
      fc.constantFrom('  - type: divider\n', '    children:\n', '      - label: A\n'),
    ),
    { maxLength: 8 },
  )
  .map((lines) => `items:\n${lines.join('')}`)

test('Keeping one side of all conflicts restores the text of that side', () => {
  const ended = (text: string) => text.replace(/\n$/, '')
  const triples = fc.oneof(fc.tuple(texts, texts, texts), fc.tuple(menus, menus, menus))
  fc.assert(
    fc.property(triples, fc.boolean(), ([ours, before, theirs], withBase) => {
      const marked = markConflicts({ ours, base: withBase ? before : null, theirs }, 7)
      assert.is(ended(resolved(marked, 'ours')), ended(ours))
      assert.is(ended(resolved(marked, 'theirs')), ended(theirs))
    }),
    { numRuns: sized(400, 3_000) },
  )
})

test('An item only in theirs is marked separately, next to lines that both changed', () => {
  const ours = 'items:\n  - label: B1\n    url: /b\n'
  const theirs = 'items:\n  - label: A2\n    url: /a\n  - label: B2\n    url: /b\n'
  assert.is(
    markConflicts({ ours, base: null, theirs }, 7),
    [
      'items:',
      '<<<<<<< ours',
      '=======',
      '  - label: A2',
      '    url: /a',
      '>>>>>>> theirs',
      '<<<<<<< ours',
      '  - label: B1',
      '=======',
      '  - label: B2',
      '>>>>>>> theirs',
      '    url: /b',
      '',
    ].join('\n'),
  )
})

test('Only differing lines are between marks, with the base if requested', () => {
  const sides = { ours: 'a\nours\nz\n', base: 'a\nbase\nz\n', theirs: 'a\ntheirs\nz\n' }
  assert.is(
    markConflicts({ ...sides, base: null }, 7),
    'a\n<<<<<<< ours\nours\n=======\ntheirs\n>>>>>>> theirs\nz\n',
  )
  assert.is(
    markConflicts(sides, 9),
    'a\n<<<<<<<<< ours\nours\n||||||||| base\nbase\n=========\ntheirs\n>>>>>>>>> theirs\nz\n',
  )
})

test('An item on only one side is marked separately, next to lines that both changed', () => {
  const ours = 'items:\n  - label: Shop\n    url: /shop\n  - label: Ours\n    url: /\n'
  const theirs = 'items:\n  - label: Theirs\n    url: /\n'
  assert.is(
    markConflicts({ ours, base: null, theirs }, 7),
    [
      'items:',
      '<<<<<<< ours',
      '  - label: Shop',
      '    url: /shop',
      '=======',
      '>>>>>>> theirs',
      '<<<<<<< ours',
      '  - label: Ours',
      '=======',
      '  - label: Theirs',
      '>>>>>>> theirs',
      '    url: /',
      '',
    ].join('\n'),
  )
})

test('The marks end as the lines of the text do', () => {
  const marked = markConflicts({ ours: 'a\r\nb\r\n', base: null, theirs: 'a\r\nc' }, 7)
  assert.is(marked, 'a\r\n<<<<<<< ours\r\nb\r\n=======\r\nc\r\n>>>>>>> theirs\r\n')
})

test.run()
