import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { fileOf } from '../support/snapshot-of.js'
import { type Answer, CONFLICT, FILE, HEAD, item, merging, resolved } from './merging.js'

test('Marks are around what conflicts and nothing else, and keeping either side resolves the file', async () => {
  await merging(CONFLICT, ({ code, text, said }, repository) => {
    assert.is(code, 1)
    assert.match(said, 'menuscript: menus/main.yaml: both changed /label of "Ours"\n')
    const marked = '<<<<<<< ours\n  - label: Ours\n=======\n  - label: Theirs\n>>>>>>> theirs\n    url: /a\n'
    assert.is(text, HEAD + marked + item('C', '    icon: lucide:c\n') + item('B') + item('D'))
    assert.is(repository.git('diff', '--name-only', '--diff-filter=U'), FILE)
    for (const side of ['ours', 'theirs'] as const) {
      assert.equal(fileOf('main.yaml', resolved(text, side)).problems, [])
    }
  })
})

test('merge.conflictStyle diff3 shows the base', async () => {
  const use = ({ text }: Answer): void => {
    assert.match(text, '  - label: Ours\n||||||| base\n  - label: A\n=======\n  - label: Theirs\n')
  }
  await merging(CONFLICT, use, { config: ['merge.conflictStyle=diff3'] })
})

test('A branch that one side deleted and the other changed is there whole or not at all', async () => {
  const shop =
    '  - type: section\n    label: Shop # all of it\n    children:\n      - label: A\n        url: /a\n'
  const base = HEAD + shop + item('B')
  const theirs = base.replace('url: /a', 'url: /a/new')
  await merging({ base, ours: HEAD + item('B'), theirs }, ({ code, text, said }) => {
    assert.is(code, 1)
    assert.match(said, 'ours deleted "Shop", and theirs changed it or something below it')
    assert.is(resolved(text, 'ours'), HEAD + item('B'))
    assert.is(resolved(text, 'theirs'), theirs)
  })
})

test('Two sides that cannot be loaded together are marked wherever they differ', async () => {
  const of = (label: string): string => `${HEAD}  - label: { en: A${label} }\n    url: /\n`
  // One locale in two spellings is a duplicate that neither side has.
  const sides = { base: of(''), ours: of(', pt-br: Um'), theirs: of(', pt-BR: Um') }
  await merging(sides, ({ code, text, said }) => {
    assert.is(code, 1)
    assert.match(
      said,
      /menuscript: menus\/main\.yaml: the changes of both sides contradict each other \(.*pt-br.*\); the whole file is marked/,
    )
    assert.is(resolved(text, 'ours'), sides.ours)
    assert.is(resolved(text, 'theirs'), sides.theirs)
  })
})

test.run()
