import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { diffTexts, type TextPair } from '../../../src/store/git/lone-texts.js'
import { sized } from '../../support/figures.js'
import { createMenusFolder } from '../../support/menus-folder.js'
import { createRepository } from '../../support/repository.js'

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
            return { path, before, after }
          })
          for (const { path, before } of pairs) repository.write(path, before)
          const patch = await diffTexts(pairs)
          const isSame = pairs.every(({ before, after }) => before === after)
          assert.is(patch === '', isSame)
          if (isSame) return
          repository.write('fix.patch', patch)
          repository.git('apply', '--whitespace=nowarn', 'fix.patch')
          for (const { path, after } of pairs)
            assert.is(readFileSync(join(repository.dir, path), 'utf8'), after, path)
        },
      ),
      { numRuns: sized(20, 200) },
    )
  } finally {
    repository.close()
  }
})

test('Diff settings of the machine do not change the patch', async () => {
  const folder = createMenusFolder()
  const [config, attributes] = [join(folder.dir, 'config'), join(folder.dir, 'attributes')]
  const pair = { path: 'a.yaml', before: 'a\nb\n\nc\n\n', after: 'a\nB\n\nc\n\n' }
  const expected = await diffTexts([pair])
  writeFileSync(attributes, '*.yaml binary\n')
  const settings: readonly string[] = [
    '[diff]\n\tcontext = 0\n\tinterHunkContext = 9\n\tmnemonicPrefix = true\n\tsuppressBlankEmpty = true\n\trenames = copies',
    '[diff]\n\texternal = false\n\tnoprefix = true\n\tignoreSubmodules = all\n\talgorithm = patience\n[color]\n\tdiff = always',
    `[core]\n\tattributesFile = ${attributes}\n\tquotePath = true\n\tautocrlf = true\n\tsafecrlf = true`,
  ]
  const before = process.env['GIT_CONFIG_GLOBAL']
  const temporary = process.env['TMPDIR']
  const repository = createRepository({ '.gitattributes': '* binary\n' })
  repository.git('config', 'diff.context', '0')
  try {
    process.env['GIT_CONFIG_GLOBAL'] = config
    for (const each of settings) {
      writeFileSync(config, `${each}\n`)
      assert.is(await diffTexts([pair]), expected, each)
    }
    // A temporary folder inside of a work tree.
    process.env['TMPDIR'] = repository.dir
    assert.is(await diffTexts([pair]), expected)
  } finally {
    process.env['GIT_CONFIG_GLOBAL'] = before
    if (temporary === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = temporary
    repository.close()
    folder.close()
  }
})

test.run()
