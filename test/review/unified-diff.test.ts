import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type TextPair, toUnifiedDiff } from '../../src/review/unified-diff.js'
import { sized } from '../support/figures.js'
import { createRepository } from '../support/repository.js'

const lines = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('', ' ', '\t', 'items:', '  - label: A', '-- x', '++ y', '\\ No newline'),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '@@ -1 +1 @@',
      'diff --git a/x b/x',
      '# é 日本 🎉',
      '  ',
      'a\u0085b',
      '\ufeffx',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.string({ unit: 'binary', maxLength: 6 }).map((text) => text.replace(/[\r\n\0]/g, '')),
  },
)
const texts = fc
  .record({
    list: fc.array(lines, { maxLength: 12 }),
    eol: fc.constantFrom('\n', '\n', '\r\n'),
    isEnded: fc.boolean(),
  })
  .map(({ list, eol, isEnded }) => list.join(eol) + (isEnded && list.length > 0 ? eol : ''))

/** Two texts that are near each other: the later is the earlier with a few lines changed, or another one. */
const changes = fc.oneof(
  fc.tuple(texts, texts),
  fc.tuple(texts, fc.nat(11), fc.nat(3), fc.array(lines, { maxLength: 2 })).map(([text, at, cut, added]) => {
    const parts = text.split('\n')
    return [text, parts.toSpliced(at % (parts.length + 1), cut, ...added).join('\n')] as const
  }),
)

const NAMES = [
  'a.yaml',
  'a b.yaml',
  '-V.yaml',
  '--help.yaml',
  "it's.yaml",
  'say "hi".yaml',
  'back\\slash.yaml',
  'é 日本.yaml',
  'tab\there.yaml',
  'b/a.yaml',
  ' sub folder/x.yaml',
  'a/a/dev/null.yaml',
  '$HOME;`x`.yaml',
]

test('The difference of any texts under any names is a patch that git apply makes exactly the later texts of', async () => {
  const repository = createRepository()
  try {
    await fc.assert(
      fc.asyncProperty(
        fc.subarray(NAMES, { minLength: 1, maxLength: 3 }),
        fc.array(changes, { minLength: 3, maxLength: 3 }),
        async (names, found) => {
          const pairs = names.map((path, at): TextPair => {
            const [before = '', after = ''] = found[at] ?? []
            // Every third is made, every third deleted.
            const kind = (at + before.length) % 3
            return { path, before: kind === 1 ? null : before, after: kind === 2 ? null : after }
          })
          for (const { path, before } of pairs) {
            repository.remove(path)
            if (before !== null) repository.write(path, before)
          }
          const patch = pairs.map(toUnifiedDiff).join('')
          const isSame = pairs.every(({ before, after }) => before === after)
          assert.is(patch === '', isSame)
          if (isSame) return
          repository.write('fix.patch', patch)
          repository.git('apply', '--whitespace=nowarn', 'fix.patch')
          for (const { path, after } of pairs) assert.is(textOf(join(repository.dir, path)), after, path)
        },
      ),
      { numRuns: sized(20, 200) },
    )
  } finally {
    repository.close()
  }
})

/** Null for a file that does not exist. */
function textOf(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

test.run()
