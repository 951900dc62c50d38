import { createRequire } from 'node:module'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { drawingsOf } from '../../src/config/iconify.js'
import { toInlineSvg } from '../../src/render/inline-svg.js'
import { toSvg } from '../../src/web/drawing.js'
import { outlineOf } from '../nunjucks/outline.js'
import { sized } from '../support/figures.js'

const END = 'width="1em" height="1em" aria-hidden="true" focusable="false"'

test('A drawing of shapes is in the page as it is, without what only names or sizes it', () => {
  const file = `<?xml version="1.0"?>
<!-- An icon > all others -->
<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" class="icon" role="img" viewBox="0 0 24 24"
  fill="none" stroke="currentColor" stroke-width="2">
  <g id="all" transform="rotate(45 12 12)"><path d="M4 4h16
    v2"/></g>
  <circle cx="1" cy="2" r="3"></circle>
</svg>
`
  assert.is(
    toInlineSvg(file),
    `<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" ${END}>` +
      '<g transform="rotate(45 12 12)"><path d="M4 4h16 v2"></path></g><circle cx="1" cy="2" r="3"></circle></svg>',
  )
})

const inside = (body: string): string => `<svg viewBox="0 0 1 1">${body}</svg>`

/** What a drawing may not have in a page. */
const REFUSED: readonly (readonly [what: string, svg: string])[] = [
  ['a script', inside('<script>alert(1)</script>')],
  ['a handler', inside('<path onclick="alert(1)" d="M0 0"/>')],
  ['HTML', inside('<foreignObject><b>x</b></foreignObject>')],
  ['an image', inside('<image href="https://evil.example/a.png"/>')],
  ['a link', inside('<a href="javascript:alert(1)"><path d="M0 0"/></a>')],
  ['a reference', inside('<use href="#a"/>')],
  ['a paint from elsewhere', inside('<path fill="url(https://evil.example/#a)" d="M0 0"/>')],
  ['an escaped address', inside('<path fill="u&#114;l(#a)" d="M0 0"/>')],
  ['a style', inside('<path style="fill:url(#a)" d="M0 0"/>')],
  ['a style sheet', inside('<style>*{display:none}</style>')],
  ['an animation', inside('<path d="M0 0"><animate attributeName="d" to="M1 1"/></path>')],
  ['a text', inside('Hello')],
  ['an end too many', `${inside('')}</svg>`],
  ['an end too few', '<svg viewBox="0 0 1 1"><g>'],
  ['ends that cross', inside('<g><path d="M0 0"></g></path>')],
  ['a second root', inside('') + inside('')],
  ['a comment without an end', inside('<!-- a')],
  ['an attribute without quotes', inside('<path d=M0/>')],
  ['a tag in an attribute', inside('<path d="M0 0<b>"/>')],
  ['an upper-case tag of HTML', inside('<IMG/>')],
  ['no box', '<svg><path d="M0 0"/></svg>'],
  ['no drawing', ''],
  ['another root', '<path d="M0 0"/>'],
  ['more than 8 KB', inside(`<path d="${'M0 0'.repeat(2_048)}"/>`)],
]
for (const [what, svg] of REFUSED)
  test(`E9: a drawing with ${what} is not in a page`, () => assert.is(toInlineSvg(svg), null))

test('E9: whatever a drawing has, a page gets well-formed shapes or nothing', () => {
  const parts = [
    '<svg viewBox="0 0 1 1"',
    '<g',
    '<path',
    '<script',
    ' d="',
    ' fill="',
    '"',
    '>',
    '/>',
    '</g>',
  ]
  const more = ['</svg>', '</path>', '<!--', '-->', '<?', 'url(', '&lt;', "'", ' ', '\n', ' onload="x"', 'M0']
  const text = fc.array(fc.constantFrom(...parts, ...more)).map((each) => each.join(''))
  const holds = fc.property(fc.oneof(text, text.map(inside)), (svg) => {
    const html = toInlineSvg(svg)
    if (html === null) return
    const [root, ...shapes] = outlineOf(html.replace('viewBox', 'viewbox'))
    assert.is(root?.name, 'svg')
    for (const { name, attributes } of shapes) {
      assert.ok(['g', 'path'].includes(name), name)
      assert.ok(Object.keys(attributes).every((each) => ['d', 'fill'].includes(each)))
      assert.not.match(Object.values(attributes).join(), /url/i)
    }
  })
  fc.assert(holds, { numRuns: sized(2_000, 20_000) })
})

test('Nearly all drawings of the usual sets can be in a page', () => {
  for (const [set, share] of [
    ['bi', 0.99],
    ['lucide', 0.99],
  ] as const) {
    const drawings = drawingsOf(createRequire(import.meta.url)(`@iconify-json/${set}/icons.json`))
    const shown = drawings.filter(([, drawing]) => drawing && toInlineSvg(toSvg(drawing) ?? '') !== null)
    assert.ok(shown.length > share * drawings.length, `${set}: ${shown.length} of ${drawings.length}`)
  }
})

test.run()
