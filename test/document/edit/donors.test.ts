import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isEqual, isList, type Json } from '../../../src/change/json.js'
import { type Donor, editMenu } from '../../../src/document/edit/edit-menu.js'
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

/** The text of a menu with these items, some of which come from `THEIRS`. */
function edit(text: string, items: readonly Json[], donors: Readonly<Record<string, string>>): string {
  const found = Object.entries(donors).map(([place, pointer]): [string, Donor] => [
    place,
    { document: documentOf(THEIRS), pointer },
  ])
  const edited = editMenu(documentOf(text), { version: 1, items }, { donors: new Map(found) })
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

test('What the other text says otherwise is edited, and items below come from where they come from', () => {
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

test('In brackets the lines become a map in braces, their comments above it', () => {
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

test('The line endings are those of the text that is edited, whatever the other has', () => {
  const edited = edit(OURS.replaceAll('\n', '\r\n'), [A2, B], { '/items/0': '/items/0' })
  assert.is(edited.replaceAll('\r\n', '').includes('\n'), false)
})

test('Items of another text, in whatever formatting, come to stand in any text, and it says what it shall', () => {
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
      const donors = new Map(
        places.map((pointer, place): [string, Donor] => [
          `/items/${own.length + place}`,
          { document: documentOf(other.formatted.text), pointer },
        ]),
      )
      const edited = editMenu(documentOf(text), after, { donors })
      assert.is(edited.fault, null)
      assert.ok(isEqual(meaningOf(edited.value?.text ?? ''), after))
    }),
    { numRuns: 150, includeErrorInReport: true },
  )
})

test('A text that gives nothing is told', () => {
  const ask = (donor: Donor) =>
    editMenu(documentOf(OURS), { items: [A2] }, { donors: new Map([['/items/0', donor]]) }).fault
  assert.match(ask({ document: documentOf(THEIRS), pointer: '/items/9' }) ?? '', 'no item /items/9')
  assert.match(ask({ document: documentOf('a: ['), pointer: '/items/0' }) ?? '', 'comes from: Line')
})

test.run()
