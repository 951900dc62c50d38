import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { PAGES, type Page, readPage } from './readme.js'

/** Words that have a usual one in English, with that one. */
const USUAL: readonly (readonly [word: RegExp, usual: string])[] = [
  [/\b(?:tells?|told)\b/i, 'report, print, show, say'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/\bwhoever\b/i, 'the person who, anybody who'],
  [/\baside\b(?<!sets aside)/i, 'apart from'],
  [/(?<!there )\bis no (?!longer)/i, 'is not a'],
  [/\bthe (?:periodic )?look\b/i, 'the rescan'],
  [/^(?:- )?Of (?:a|the|all|several|two) /m, 'the subject first'],
]

test('The pages use the usual words', () => {
  const odd = [...PAGES, readPage('CHANGELOG.md')].flatMap((page) =>
    toProse(page).flatMap((line, place) =>
      USUAL.filter(([word]) => word.test(line)).map(
        ([, usual]) => `${page.path}:${place + 1} ${line} (${usual})`,
      ),
    ),
  )
  assert.equal(odd, [])
})

/** The lines of a page, without what is code or quotes what the product prints. */
function toProse({ text, blocks }: Page): readonly string[] {
  const quoted = new Set(blocks.flatMap((block) => block.text.split('\n')))
  return text
    .split('\n')
    .map((line) => (quoted.has(line) || line.startsWith('To fix it: ') ? '' : line.replace(/`[^`]*`/g, '``')))
}

test.run()
