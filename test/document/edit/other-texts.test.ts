import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Change } from '../../../src/change/change.js'
import { writeChange } from '../../../src/document/edit/write-change.js'
import { isEqual, isList, type Json } from '../../../src/model/json.js'
import { changeBetween } from '../../change/between.js'
import { sized } from '../../support/figures.js'
import { yaml } from '../../support/yaml.js'
import { changes } from './changes.js'
import { documentOf, meaningOf, says } from './reading.js'

const OURS = yaml`
  version: 1
  items:
    # floating

    # about a
    - label: A # a
      url: /a
    - label: B
      children: # of b
        - label: C # c
          url: /c
`

const THEIRS = yaml`
  version: 1
  items:
  # their a
  -   label: "A2"   # theirs
      url: /a
      # deeper
  -   label: B
      url: /b2 # new url
      # their children
      children:
      - label: C
        url: /c
  - { label: F, url: /f } # flow
`

/** A change to these items, some of which come from another text. */
function changeOf(text: string, after: Json, taken: Readonly<Record<string, string>>): Change {
  const { value, origins } = changeBetween(meaningOf(text), after)
  const others = Object.entries(taken).map(
    ([place, pointer]) => [place, { side: 'theirs', pointer }] as const,
  )
  return { value, origins: new Map([...origins, ...others]) }
}

/** The text of a menu with these items, some of which come from `THEIRS`. */
function edit(text: string, items: readonly Json[], taken: Readonly<Record<string, string>>): string {
  const change = changeOf(text, { version: 1, items }, taken)
  const edited = writeChange(documentOf(text), change, { theirs: documentOf(THEIRS) })
  if (edited.fault !== null) throw new Error(edited.fault)
  return edited.value.text
}

const A2 = { label: 'A2', url: '/a' }
const B = { label: 'B', children: [{ label: 'C', url: '/c' }] }

test('An item takes its lines with its comments from another text, indented for its place', () => {
  assert.is(
    edit(OURS, [A2, B], { '/items/0': '/items/0' }),
    yaml`
      version: 1
      items:
        # floating

        # their a
        -   label: "A2"   # theirs
            url: /a
            # deeper
        - label: B
          children: # of b
            - label: C # c
              url: /c
    `,
  )
})

test('Differences of the other text are edited in, and items below come from where they come from', () => {
  const items = [
    A2,
    {
      label: 'B',
      url: '/b3',
      children: [
        { label: 'C', url: '/c' },
        { label: 'F', url: '/f' },
      ],
    },
  ]
  assert.is(
    edit(OURS, items, { '/items/1': '/items/1', '/items/1/children/1': '/items/2' }),
    yaml`
      version: 1
      items:
        # floating

        # about a
        - label: A2 # a
          url: /a
        -   label: B
            url: /b3 # new url
            # their children
            children:
            - label: C # c
              url: /c
            - { label: F, url: /f } # flow
    `,
  )
})

test('In brackets the lines become a map in braces, with their comments above it', () => {
  const ours = 'version: 1\nitems: [{ label: A, url: /x }]\n'
  assert.is(
    edit(ours, [{ label: 'A', url: '/x' }, A2], { '/items/1': '/items/0' }),
    yaml`
      version: 1
      items: [{ label: A, url: /x },
        # their a
        # theirs
        # deeper
        { label: "A2", url: /a }]
    `,
  )
})

test('Line endings follow the edited text, not the other text', () => {
  const edited = edit(OURS.replaceAll('\n', '\r\n'), [A2, B], { '/items/0': '/items/0' })
  assert.is(edited.replaceAll('\r\n', '').includes('\n'), false)
})

test('Items of another text, in any formatting, fit into any text, which then has the intended value', () => {
  fc.assert(
    fc.property(changes, changes, fc.func(fc.boolean()), (change, other, isTaken) => {
      const { text } = change.formatted
      fc.pre(says(text, change.before) && says(other.formatted.text, other.before))
      // The other menu's items come to stand behind those of the menu.
      const own = isList(change.after['items']) ? change.after['items'] : []
      const added = (other.before['items'] as readonly Json[]).filter((_, place) => isTaken(place))
      const after = { ...change.after, items: [...own, ...added] }
      const places = (other.before['items'] as readonly Json[]).flatMap((_, place) =>
        isTaken(place) ? [`/items/${place}`] : [],
      )
      const taken = places.map((pointer, place) => [`/items/${own.length + place}`, pointer] as const)
      const edited = writeChange(documentOf(text), changeOf(text, after, Object.fromEntries(taken)), {
        theirs: documentOf(other.formatted.text),
      })
      assert.is(edited.fault, null)
      assert.ok(isEqual(meaningOf(edited.value?.text ?? ''), after))
    }),
    { numRuns: sized(60, 500), includeErrorInReport: true },
  )
})

test('A text without content to take is reported', () => {
  const ask = (theirs: string, pointer: string): string => {
    const change = changeOf(OURS, { items: [A2] }, { '/items/0': pointer })
    return writeChange(documentOf(OURS), change, { theirs: documentOf(theirs) }).fault ?? ''
  }
  assert.match(ask(THEIRS, '/items/9'), 'no item /items/9')
  assert.match(ask('a: [', '/items/0'), 'comes from: Line')
})

test.run()
