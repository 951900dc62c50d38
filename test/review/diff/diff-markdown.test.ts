import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createTerminal } from '../../../src/cli/terminal.js'
import { toDiffHtml } from '../../../src/review/diff/html.js'
import { toDiffMarkdown } from '../../../src/review/diff/markdown.js'
import { code, fenced } from '../../../src/review/diff/markdown-data.js'
import { toDiffText } from '../../../src/review/diff/text.js'
import { sized } from '../../support/figures.js'
import { changeOf, menuOf, reportOf } from './diff-reports.js'

const texts = fc.oneof(
  fc.string(),
  fc.string({ unit: fc.constantFrom('`', '|', '\\', '\n', '@a', '#1', '<b>', '*', '\u202e', ' ', '~', 'x') }),
)
/** What nobody's label may do in a comment. */
const HOSTILE =
  '`` | <img src=x onerror=alert(1)> @octocat #1 https://evil.example [x](y) **b** \u202e <!-- ``` ~~~'
const hostile = (more: object = {}): unknown => ({ label: HOSTILE, url: '/x', ...more })

test('Data in a code span ends where the span ends (CommonMark 6.1)', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const span = code(text)
      assert.not.match(span, /[\n\r\u202e]/)
      if (!span.startsWith('`')) return
      const [, run = '', inner = ''] = /^(`+)([\s\S]*?[^`])\1$/.exec(span) ?? []
      assert.ok(run !== '', span)
      // The first run of this length behind the opening one is the closing one.
      assert.ok(![...inner.matchAll(/`+/g)].some(([each]) => each.length === run.length), span)
    }),
    { numRuns: sized(120, 2_500) },
  )
})

test('Data in a fenced block ends where the block ends (CommonMark 4.5)', () => {
  fc.assert(
    fc.property(fc.array(texts, { maxLength: 5 }), (lines) => {
      const [fence = '', ...rest] = fenced(lines, '').split('\n')
      assert.is(rest.length, lines.length + 1)
      assert.is(rest.at(-1), fence)
      assert.ok(rest.slice(0, -1).every((line) => !line.includes(fence)))
    }),
  )
})

test('A hostile label is inert in the comment, on the page and on a terminal', () => {
  const before = menuOf([hostile({ id: 'x', permissions: ['k'] })], { name: HOSTILE })
  const more = { label: `${HOSTILE}!`, 'x-<b>@me': HOSTILE, attributes: { title: HOSTILE } }
  const items = [hostile({ id: 'x', ...more }), { label: HOSTILE, url: '/y' }]
  const after = menuOf(items, { name: 'New', context: { [HOSTILE]: 1 } })
  const report = reportOf({ 'a.yaml': before }, { 'a.yaml': after })
  const markdown = toDiffMarkdown({ ...report, shown: { locale: 'en', viewer: ['k', HOSTILE] } })
  const outside = markdown
    .replace(/^(`{3,})diff\n[\s\S]*?\n\1$/gm, '')
    .replace(/(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, '')
  assert.not.match(outside, /onerror|@|evil|#1|<b>|`|\u202e/)
  const page = toDiffHtml(report)
  assert.not.match(page, /<img|<b>|\u202e|<!--/)
  const { paintOut } = createTerminal(process.stdout, process.stderr)
  assert.not.match(toDiffText(report, paintOut), '\u202e')
})

test('A comment stays under 60,000 characters and counts what it leaves out', () => {
  const items = Array.from({ length: 800 }, (_, place) => ({
    label: `item ${place} ${HOSTILE}`,
    url: `/${place}`,
    permissions: ['k'],
  }))
  const open = items.map((item) => ({ ...item, icon: 'i:i', permissions: [] }))
  const report = changeOf(items, open)
  const markdown = toDiffMarkdown(report)
  assert.ok(markdown.length < 60_000, `${markdown.length}`)
  assert.match(markdown, /^- … \d+ more items$/m)
  assert.match(markdown, /^- … \d+ more changes$/m)
  assert.is(toDiffMarkdown(report), markdown)
})

/** A comment on a change of menus with these codes, which more viewers see. */
function commentOn(codes: readonly string[]): string {
  const files = (label: string, permissions: readonly string[]): Record<string, string> => {
    const items = [{ label, url: '/', permissions }]
    return Object.fromEntries(codes.map((code, place) => [`m${place}.yaml`, menuOf(items, { code })]))
  }
  const markdown = toDiffMarkdown(reportOf(files('a', ['k']), files('b', [])))
  assert.ok(markdown.length < 60_000, `${markdown.length}`)
  return markdown
}

for (const count of [3, 400, 1_500]) {
  test(`Each of ${count} changed menus is named in the comment`, () => {
    const codes = Array.from({ length: count }, (_, place) => `navigation-part-${place}`)
    const markdown = commentOn(codes)
    const missing = codes.filter((code) => !markdown.includes(`\`${code}\``))
    assert.equal(missing, [])
    if (count > 100) assert.match(markdown, /^### \d+ more menus changed\n\n`navigation-part-/m)
  })
}

/** Of names of 54 characters. */
const MORE_THAN_FIT = 1_150

test('Where the names have no room, as many as fit are named, and the others counted', () => {
  const codes = Array.from({ length: MORE_THAN_FIT }, (_, place) => `${'long-'.repeat(10)}${place}`)
  const markdown = commentOn(codes)
  assert.match(markdown, new RegExp(`^### ${MORE_THAN_FIT} more menus changed$`, 'm'))
  const [, more = ''] = / … (\d+) more\. Their changes do not fit here/.exec(markdown) ?? []
  const [, others = ''] = markdown.split(/^### .* more menus changed$/m)
  assert.is(others.match(/`long-/g)?.length, MORE_THAN_FIT - Number(more))
})

test('A change that shows nothing to more viewers is reported as such', () => {
  const markdown = toDiffMarkdown(changeOf([], [{ label: 'a', url: '/' }]))
  assert.match(markdown, 'No existing item and no guarded destination is seen by more viewers.')
})

test.run()
