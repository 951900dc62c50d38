import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { itemSpans } from '../../../src/document/edit/item-spans.js'
import { yaml } from '../../support/yaml.js'

/** The text of each item's lines, by its pointer. */
function spanned(text: string): Record<string, string | null> {
  const spans = [...itemSpans(text)]
  return Object.fromEntries(
    spans.map(([pointer, span]) => [pointer, span === null ? null : text.slice(span.start, span.end)]),
  )
}

test('The lines of an item are its own, with the comments directly above it, behind it and below it', () => {
  const text = yaml`
    items:
      # of the list

      # of a
      - label: a # too
        # and this
      # of b

      # directly above b
      - type: section
        children:
          - label: c
            url: |
              /c
        # of b
      # at the foot of the list
    x-a: 1
  `
  const c = '      - label: c\n        url: |\n          /c\n'
  const b = `  # directly above b\n  - type: section\n    children:\n${c}    # of b\n`
  assert.equal(spanned(text), {
    '/items/0': '  # of a\n  - label: a # too\n    # and this\n',
    '/items/1': b,
    '/items/1/children/0': c,
  })
})

test('Items in brackets, and one behind something else in its line, have no lines of their own', () => {
  assert.equal(spanned('items: [{ label: a }]\n'), { '/items/0': null })
  assert.equal(spanned('? items\n: - label: a\n  - label: b\n'), {
    '/items/0': null,
    '/items/1': '  - label: b\n',
  })
})

test('A byte order mark, Windows lines and a missing last line break are counted as they stand', () => {
  assert.equal(spanned('\ufeffitems:\r\n- label: a\r\n- label: b'), {
    '/items/0': '- label: a\r\n',
    '/items/1': '- label: b',
  })
  assert.is(itemSpans('items: [').size, 0)
})

test.run()
