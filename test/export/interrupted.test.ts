import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { menuscriptProcess, startMenuscript } from '../cli/command.js'
import { eventually } from '../support/eventually.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { closing, test } from '../support/test.js'
import { namesOf, readExport } from './exports.js'

const MENUS = 100
const BUILD = ['build', '--html', '--out']
const env = { MENUSCRIPT_LOCALES: 'en,es' }

function menusOf(label: string): Readonly<Record<string, string>> {
  const menus = Array.from({ length: MENUS }, (_, at) => {
    const items = Array.from({ length: 10 }, (_, item) => ({
      label: `${label} ${at} ${item}`,
      url: `/${item}`,
    }))
    return [`menus/${at}.yaml`, JSON.stringify({ version: 1, code: `m${at}`, name: 'M', items })] as const
  })
  return Object.fromEntries(menus)
}

/** Checks that a manifest and all its files are whole and of one state; returns the word in its labels. */
function wordOf(out: string): string {
  const names = namesOf(readExport(out))
  for (const name of names) statSync(join(out, name))
  const words = names
    .filter((name) => name.endsWith('.json'))
    .map((name) => {
      const [node] = JSON.parse(readFileSync(join(out, name), 'utf8'))
      return String(node.label).split(' ')[0] ?? ''
    })
  assert.is(words.length, 2 * MENUS)
  assert.is(new Set(words).size, 1)
  return words[0] ?? ''
}

test('A build that is killed at any moment leaves a whole export, and the next one completes it', async () => {
  const folder = closing(createMenusFolder(menusOf('first')))
  const out = join(folder.dir, 'out')
  const args = [...BUILD, 'out']
  const began = performance.now()
  assert.is((await menuscriptProcess(args, { cwd: folder.dir, env })).code, 0)
  const took = performance.now() - began
  let last = 'first'
  for (let round = 0; round < 3; round++) {
    const next = `round${round}`
    for (const [path, text] of Object.entries(menusOf(next))) folder.write(path, text)
    const child = startMenuscript(args, { cwd: folder.dir, env })
    await sleep(took * (0.4 + round * 0.2))
    child.send('SIGKILL')
    await child.ended
    const word = wordOf(out)
    assert.ok(word === last || word === next, word)
    last = word
  }
  // What was left of a killed one may look like one at work, for ten seconds.
  const old = new Date(Date.now() - 60_000)
  for (const name of readdirSync(out)) if (name.startsWith('.')) utimesSync(join(out, name), old, old)
  assert.is((await menuscriptProcess(args, { cwd: folder.dir, env })).code, 0)
  assert.is(wordOf(out), 'round2')
  assert.is((await menuscriptProcess([...args, '--check'], { cwd: folder.dir, env })).code, 0)
  assert.equal(
    readdirSync(out).filter((name) => name.startsWith('.')),
    [],
  )
})

test('Builds of two states at once leave one of them, whole', async () => {
  const [a, b] = ['one', 'two'].map((word) => closing(createMenusFolder(menusOf(word))))
  const out = join(a?.dir ?? '', 'out')
  const builds = [a, b, a, b].map((folder) =>
    menuscriptProcess([...BUILD, out], { cwd: folder?.dir ?? '', env }),
  )
  for (const { code, stderr } of await Promise.all(builds)) assert.equal([code, stderr], [0, ''])
  assert.ok(['one', 'two'].includes(wordOf(out)))
})

test('A build waits for another one that replaces the manifest', async () => {
  const folder = closing(createMenusFolder(menusOf('first')))
  const args = [...BUILD, 'out']
  const run = () => menuscriptProcess(args, { cwd: folder.dir, env })
  await run()
  const count = readdirSync(join(folder.dir, 'out')).length + 1
  folder.write('menus/0.yaml', menusOf('other')['menus/0.yaml'] ?? '')
  // The name that writers of menus.json take, in turn.
  const hash = createHash('sha256').update('menus.json').digest('hex').slice(0, 12)
  const aside = join(folder.dir, `out/.menuscript-${hash}.tmp`)
  writeFileSync(aside, '')
  const building = run()
  await eventually(() => readdirSync(join(folder.dir, 'out')).length > count)
  assert.is(readExport(join(folder.dir, 'out')).previous.length, 0)
  rmSync(aside)
  assert.is((await building).code, 0)
  assert.is(readExport(join(folder.dir, 'out')).previous.length, 4)
})

test.run()
