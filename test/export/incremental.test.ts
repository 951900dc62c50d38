import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { menuscript } from '../cli/command.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { closing, test } from '../support/test.js'
import { namesIn, namesOf, readExport } from './exports.js'

function menuOf(code: string, label: string): string {
  const items = Array.from({ length: 8 }, (_, at) => ({ label: `${label} ${at}`, url: `/${at}` }))
  return JSON.stringify({ version: 1, code, name: code, items })
}

/** A project with an export, and what a build of it says. */
function openProject(files: Readonly<Record<string, string>>) {
  const folder = closing(createMenusFolder(files))
  const out = join(folder.dir, 'out')
  const build = async (...flags: string[]) => {
    const { code, stdout, stderr } = await menuscript(['build', '--out', 'out', '--json', ...flags], {
      cwd: folder.dir,
    })
    assert.ok(stdout !== '', stderr)
    return { code, ...JSON.parse(stdout) }
  }
  return { folder, out, build }
}

/** Why a build of three states leaves what it leaves. */
test('Old files stay until the next build that changes any, and only files of earlier exports go', async () => {
  const { folder, out, build } = openProject({
    'menus/a.yaml': menuOf('a', 'One'),
    'menus/b.yaml': menuOf('b', 'B'),
  })
  folder.write('out/own.0123456789ab.json', 'not ours')
  folder.write('out/index.html', 'not ours')
  const counts = ({ files, written, unchanged, removed }: Record<string, number>) => [
    files,
    written,
    unchanged,
    removed,
  ]
  assert.equal(counts(await build()), [2, 2, 0, 0])
  const [first] = namesOf(readExport(out))
  assert.equal(counts(await build()), [2, 0, 2, 0])
  folder.write('menus/a.yaml', menuOf('a', 'Two'))
  assert.equal(counts(await build()), [2, 1, 1, 0])
  const [second] = namesOf(readExport(out))
  assert.equal(readExport(out).previous, [first])
  folder.write('menus/b.yaml', `${menuOf('b', 'B')}\n# A comment\n`)
  assert.equal(counts(await build()), [2, 0, 2, 0])
  assert.ok(namesIn(out).includes(first ?? ''))
  folder.write('menus/a.yaml', menuOf('a', 'Three'))
  assert.equal(counts(await build()), [2, 1, 1, 1])
  assert.equal(readExport(out).previous, [second])
  const names = [
    ...namesOf(readExport(out)),
    second ?? '',
    'menus.json',
    'own.0123456789ab.json',
    'index.html',
  ]
  assert.equal([...namesIn(out)].sort(), names.sort())
  folder.write('menus/a.yaml', menuOf('a', 'Two'))
  assert.equal(counts(await build()), [2, 0, 2, 0])
})

test('A file that a manifest names stays if its content is not that of its name', async () => {
  const { folder, out, build } = openProject({ 'menus/a.yaml': menuOf('a', 'A') })
  folder.write('out/own.0123456789ab.json', 'not ours')
  folder.write('secret.0123456789ab.json', 'not ours')
  const previous = [
    'own.0123456789ab.json',
    '../secret.0123456789ab.json',
    '../menus/a.yaml',
    '..',
    '',
    7,
    null,
  ]
  folder.write('out/menus.json', JSON.stringify({ manifest: 1, menus: {}, previous }))
  assert.is((await build()).removed, 0)
  assert.is(readFileSync(join(out, 'own.0123456789ab.json'), 'utf8'), 'not ours')
  assert.is(readFileSync(join(folder.dir, 'secret.0123456789ab.json'), 'utf8'), 'not ours')
})

test('An unchanged export keeps every file as it is, and what is damaged or gone is written again', async () => {
  const { out, build } = openProject({ 'menus/a.yaml': menuOf('a', 'A'), 'menus/b.yaml': menuOf('b', 'B') })
  await build()
  const [name = ''] = namesOf(readExport(out))
  const times = () => namesIn(out).map((each) => statSync(join(out, each)).mtimeMs)
  const before = times()
  assert.is((await build()).written, 0)
  assert.equal(times(), before)
  const bytes = readFileSync(join(out, name))
  for (const damage of [
    () => truncateSync(join(out, name), 0),
    () => rmSync(join(out, name)),
    () => rmSync(join(out, `${name}.br`)),
  ]) {
    damage()
    assert.is((await build()).written, 1)
    assert.ok(readFileSync(join(out, name)).equals(bytes))
    statSync(join(out, `${name}.br`))
  }
})

test('Codes that differ only in case have files that a disk without case keeps apart or shares rightly', async () => {
  const codes = { 'menus/a.yaml': menuOf('Main', 'Same'), 'menus/b.yaml': menuOf('main', 'Same') }
  const { folder, out, build } = openProject({ ...codes, 'menus/c.yaml': menuOf('MAIN', 'Other') })
  await build()
  const byName = new Map<string, Buffer>()
  for (const name of namesOf(readExport(out))) {
    const bytes = readFileSync(join(out, name))
    assert.ok(byName.get(name.toLowerCase())?.equals(bytes) ?? true, name)
    byName.set(name.toLowerCase(), bytes)
  }
  assert.is(byName.size, 2)
  // On such a disk, removing the file of Main would remove that of main.
  folder.remove('menus/a.yaml')
  for (const label of ['One', 'Two', 'Three']) {
    folder.write('menus/c.yaml', menuOf('MAIN', label))
    await build()
    assert.not(readExport(out).previous.some((name) => name.startsWith('Main.')))
  }
  const [kept = ''] = Object.values(readExport(out).menus['main']?.[0]?.json ?? {})
  statSync(join(out, kept.replace('main', 'Main')))
})

test('Any code is a key of the manifest in the order of its characters, and equal contexts share a file', async () => {
  const codes = ['10', '9', '__proto__', 'constructor', 'a', 'B', '-x', '_']
  const texts = codes.map((code, at) => [`menus/${at}.yaml`, menuOf(code, 'Label')] as const)
  const { folder, out, build } = openProject(Object.fromEntries(texts))
  const variant = { ...JSON.parse(menuOf('a', 'Label')), context: { '10': 1, __proto__x: 2, '9': null } }
  folder.write('menus/v.yaml', JSON.stringify(variant))
  await build()
  const keys = [...readFileSync(join(out, 'menus.json'), 'utf8').matchAll(/^"([^"]+)":\[\{/gm)].map(
    ([, key]) => key,
  )
  assert.equal(keys, [...codes].sort())
  const [plain, other] = readExport(out).menus['a'] ?? []
  assert.equal([plain?.context, other?.context], [{}, variant.context])
  assert.equal(plain?.json, other?.json)
})

test('--check names the menus that differ, and writes nothing', async () => {
  const { folder, out, build } = openProject({
    'menus/a.yaml': menuOf('a', 'A'),
    'menus/b.yaml': menuOf('b', 'B'),
  })
  const check = async (...flags: string[]) => {
    const { code, isCurrent, differing } = await build('--check', ...flags)
    assert.is(isCurrent, code === 0)
    return [code, differing]
  }
  assert.equal(await check(), [1, ['a', 'b']])
  assert.throws(() => statSync(out))
  await build()
  assert.equal(await check(), [0, []])
  assert.equal(await check('--html'), [1, ['a', 'b']])
  folder.write('menus/b.yaml', menuOf('b', 'C'))
  folder.write('menus/c.yaml', menuOf('c', 'C'))
  assert.equal(await check(), [1, ['b', 'c']])
  folder.remove('menus/a.yaml')
  const before = namesIn(out)
  assert.equal(await check(), [1, ['a', 'b', 'c']])
  assert.equal(namesIn(out), before)
  await build()
  const [name = ''] = namesOf(readExport(out))
  const bytes = readFileSync(join(out, name))
  writeFileSync(join(out, name), bytes.toString().replace('/0', '/1'))
  assert.equal(await check(), [1, ['b']])
})

test('An export is out of date once a window opens or closes', async () => {
  const items = [{ label: 'Sale', url: '/sale', visibleUntil: new Date(Date.now() + 1_500).toISOString() }]
  const { build } = openProject({
    'menus/a.yaml': JSON.stringify({ version: 1, code: 'a', name: 'A', items }),
  })
  const { until } = await build()
  assert.is(until, items[0]?.visibleUntil)
  while (Date.now() <= Date.parse(until)) await new Promise((resolve) => setTimeout(resolve, 50))
  const { code, differing } = await build('--check')
  assert.equal([code, differing], [1, ['a']])
  assert.is((await build()).until, null)
  assert.is((await build('--check')).code, 0)
})

test.run()
