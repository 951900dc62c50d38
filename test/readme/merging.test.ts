import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { inRepository } from '../support/repository.js'
import { fileOf } from '../support/snapshot-of.js'
import { takeBlocks, testCoverage } from './readme.js'
import { runMenuscript } from './shell.js'

const FILE = 'menus/main.yaml'
const CONFLICT = /^<{7} ours\n([\s\S]*?)^={7}\n([\s\S]*?)^>{7} theirs\n/m

test('The command sets up merges, and a conflict looks like the one of the page', async () => {
  const [setup = ''] = takeBlocks('Merge menus', ['sh'])
  const [rules = ''] = takeBlocks('Setup', ['text'])
  const [conflict = '', message = ''] = takeBlocks('Conflicts', ['text', 'text'])
  const kept = (side: number): string => conflict.replace(CONFLICT, (...parts) => String(parts[side]))
  const [shown, other] = [kept(1), kept(2)]
  // Ours translated the shop and renamed the help; theirs gave the help an icon and another name.
  const ours = shown.replace('    icon: lucide:life-buoy\n', '')
  const base = ours
    .replace('label: Help', 'label: Contact')
    .replace('{ en: Shop, es: Tienda }', '{ en: Shop }')
  const theirs = other.replace('{ en: Shop, es: Tienda }', '{ en: Shop }')
  for (const text of [shown, other]) assert.equal(fileOf('main.yaml', text).problems, [])
  await inRepository({ [FILE]: base }, async (repository) => {
    const { code, stderr } = await runMenuscript(setup.trim(), repository.dir)
    assert.is(code, 0, stderr)
    const attributes = readFileSync(join(repository.dir, '.gitattributes'), 'utf8')
    assert.ok(attributes.endsWith(rules), attributes)
    repository.commit('Set up')
    repository.git('checkout', '--quiet', '-b', 'theirs')
    repository.commit('Theirs', { [FILE]: theirs })
    repository.git('checkout', '--quiet', 'main')
    repository.commit('Ours', { [FILE]: ours })
    const merge = spawnSync('git', ['merge', 'theirs'], { cwd: repository.dir, encoding: 'utf8' })
    assert.is(merge.status, 1)
    assert.is(readFileSync(join(repository.dir, FILE), 'utf8'), conflict)
    assert.ok(merge.stderr.includes(message), merge.stderr)
  })
})

testCoverage(test, 'docs/merging.md')

test.run()
