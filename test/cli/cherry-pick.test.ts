import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { inRepository } from '../support/repository.js'
import { fileOf } from '../support/snapshot-of.js'
import { menuscript } from './command.js'
import { FILE, HEAD, item, resolved } from './merging.js'

const BASE = HEAD + item('A') + item('B')
const NEW = `  # For all who are new.\n${item('New', '    icon: lucide:star # bright\n')}`

/** The text of the menu after release picked an item from main, main made `edited` of it, and release merges main. */
async function mergedBack(
  edited: string,
  use: (text: string, code: number | null, said: string) => void,
): Promise<void> {
  await inRepository({ [FILE]: BASE }, async (repository) => {
    const setup = await menuscript(['git', 'setup'], { cwd: repository.dir })
    assert.is(setup.code, 0, setup.stderr)
    repository.commit('Set up')
    repository.git('checkout', '--quiet', '-b', 'release')
    repository.git('checkout', '--quiet', 'main')
    const added = repository.commit('Add', { [FILE]: BASE + NEW })
    repository.git('checkout', '--quiet', 'release')
    repository.commit('Another', { 'other.txt': 'x' })
    repository.git('cherry-pick', added)
    repository.git('checkout', '--quiet', 'main')
    repository.commit('Edit', { [FILE]: BASE + edited })
    repository.git('checkout', '--quiet', 'release')
    const args = ['merge', '-m', 'Merged', 'main']
    const { status, stdout, stderr } = spawnSync('git', args, { cwd: repository.dir, encoding: 'utf8' })
    use(readFileSync(join(repository.dir, FILE), 'utf8'), status, stdout + stderr)
  })
}

const EDITS: readonly (readonly [field: string, edited: string])[] = [
  ['/label', NEW.replace('New', 'Newer')],
  ['/icon', NEW.replace('star', 'moon')],
  ['/url', NEW.replace('/new', '/newer')],
  ['/permissions', `${NEW}    permissions: [staff]\n`],
]

for (const [field, edited] of EDITS) {
  test(`An item that was cherry-picked and whose ${field} was edited since is one item when the branches are merged`, () =>
    mergedBack(edited, (text, code, said) => {
      assert.is(code, 1, said)
      assert.match(said, `menuscript: ${FILE}: both changed ${field} of "New"\n`)
      assert.is(text.match(/^<{7} /gm)?.length, 1, text)
      for (const [side, expected] of [
        ['ours', BASE + NEW],
        ['theirs', BASE + edited],
      ] as const) {
        const kept = resolved(text, side)
        assert.equal(parse(kept), parse(expected))
        assert.equal(fileOf('main.yaml', kept).problems, [])
        assert.equal(kept.match(/# .*/g), ['# For all who are new.', '# bright'])
      }
    }))
}

test('An item that was cherry-picked and stayed as it was merges without a person', () =>
  mergedBack(NEW + item('More'), (text, code, said) => {
    assert.is(code, 0, said)
    assert.is(text, BASE + NEW + item('More'))
  }))

test('An item that was cherry-picked and then nested in a new section is one item, and its place is a conflict', () => {
  const nested = `  - type: section\n    label: More\n    children:\n${NEW.replace(/^(?=.)/gm, '    ')}`
  return mergedBack(nested, (text, code, said) => {
    assert.is(code, 1, said)
    for (const [side, expected] of [
      ['ours', NEW],
      ['theirs', nested],
    ] as const) {
      const kept = resolved(text, side)
      assert.equal(kept.match(/label: New\b/g)?.length, 1, text)
      assert.equal(kept.match(/# .*/g), ['# For all who are new.', '# bright'])
      assert.equal(fileOf('main.yaml', kept).problems, [])
      if (side === 'theirs') assert.equal(parse(kept), parse(BASE + expected))
    }
  })
})

test.run()
