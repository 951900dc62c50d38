import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openState } from '../../src/store/state.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { startProcess } from '../support/process.js'
import { programOf } from '../support/programs.js'

test('The state folder is made for its owner alone, and git ignores it', () => {
  const folder = createMenusFolder()
  const dir = join(folder.dir, 'var/state')
  const { value: state } = openState(dir, join(folder.dir, 'menus'))
  assert.is(statSync(dir).mode & 0o777, 0o700)
  assert.is(readFileSync(join(dir, '.gitignore'), 'utf8'), '*\n')
  state?.write('drafts/a/b.json', '{}')
  assert.is(readFileSync(join(dir, 'drafts/a/b.json'), 'utf8'), '{}')
  assert.is(statSync(join(dir, 'drafts/a/b.json')).mode & 0o777, 0o600)
  state?.write('drafts/a/b.json', '[]')
  assert.equal(readdirSync(join(dir, 'drafts/a')), ['b.json'])
  folder.close()
})

test('A folder that holds something else is used and gets no .gitignore, and one that has one keeps it', () => {
  const folder = createMenusFolder({ 'shared/README.md': '', 'own/.gitignore': 'drafts\n' })
  assert.ok(openState(join(folder.dir, 'shared'), join(folder.dir, 'menus')).value)
  assert.not.ok(existsSync(join(folder.dir, 'shared/.gitignore')))
  assert.ok(openState(join(folder.dir, 'own'), join(folder.dir, 'menus')).value)
  assert.is(readFileSync(join(folder.dir, 'own/.gitignore'), 'utf8'), 'drafts\n')
  folder.close()
})

test('E20: A folder in the menus folder, or one that holds it, is refused, through links as well', () => {
  const folder = createMenusFolder({ 'menus/main.yaml': '' })
  symlinkSync('menus', join(folder.dir, 'link'))
  const menus = join(folder.dir, 'menus')
  const faultOf = (path: string) => openState(join(folder.dir, path), menus).fault ?? 'fine'
  for (const path of ['menus/state', 'menus/sub/state', 'link/state', 'menus/.state', 'link/.a/state'])
    assert.match(faultOf(path), /is in the menus folder/)
  for (const path of ['menus', 'link', '.', '..']) assert.match(faultOf(path), /holds the menus folder/)
  for (const path of ['menus-state', 'state', '.state']) assert.is(faultOf(path), 'fine', path)
  assert.equal(readdirSync(menus), ['main.yaml'])
  folder.close()
})

test('A folder that cannot be made is a fault in one sentence', () => {
  const folder = createMenusFolder({ 'a-file': '' })
  for (const path of ['a-file', 'a-file/state'])
    assert.match(
      openState(join(folder.dir, path), '/menus').fault ?? '',
      /\(state\.dir\) cannot be written: /,
    )
  if (process.getuid?.() !== 0) {
    mkdirSync(join(folder.dir, 'closed'))
    chmodSync(join(folder.dir, 'closed'), 0o500)
    assert.match(openState(join(folder.dir, 'closed/state'), '/menus').fault ?? '', /EACCES/)
  }
  assert.match(openState('/proc/state', '/menus').fault ?? '', /cannot be written/)
  folder.close()
})

test('A write cannot lead out of the folder', () => {
  const folder = createMenusFolder({ 'outside/x': '' })
  const { value: state } = openState(join(folder.dir, 'state'), join(folder.dir, 'menus'))
  symlinkSync('../outside', join(folder.dir, 'state/links'))
  for (const path of ['../out', 'links/a', 'drafts/../../out'])
    assert.throws(() => state?.write(path, 'x'), path)
  assert.equal(readdirSync(join(folder.dir, 'outside')), ['x'])
  assert.not.ok(existsSync(join(folder.dir, 'out')))
  folder.close()
})

test('What is made once is the same for all processes that make it at the same time', async () => {
  const folder = createMenusFolder()
  const dir = join(folder.dir, 'state')
  const words = [...programOf('store/keep.program.ts'), dir]
  const children = Array.from({ length: 4 }, () => startProcess('node', words))
  await Promise.all(children.map(({ waitFor }) => waitFor(/ready/)))
  // Each waits for this, so that they do it together.
  folder.write('go', '')
  await Promise.all(children.map(({ ended }) => ended))
  const kept = new Set(children.map(({ stdout }) => stdout().split('\n')[1]))
  assert.is(kept.size, 1)
  assert.match([...kept][0] ?? '', /^secret of \d+$/)
  assert.equal(readdirSync(dir).sort(), ['.gitignore', 'session-secret'])
  folder.close()
})

test.run()
