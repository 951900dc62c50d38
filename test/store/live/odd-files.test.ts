import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Store } from '../../../src/store/live/open-store.js'
import { eventually } from '../../support/eventually.js'
import { createMenusFolder, type MenusFolder } from '../../support/menus-folder.js'
import { errorsOf, menuText, nameOf, openedOn, servedPaths } from '../opening.js'

/** Opens a folder that a text cannot describe, without following it, and gives the errors and what is served. */
async function readOdd(make: (folder: MenusFolder) => void): Promise<{ errors: string[]; served: string[] }> {
  const folder = createMenusFolder({ 'main.yaml': menuText('main') })
  make(folder)
  let result = { errors: ['never opened'], served: [] as string[] }
  await openedOn(
    folder.dir,
    (store) => {
      result = { errors: errorsOf(store), served: servedPaths(store) }
    },
    { watch: false },
  )
  folder.close()
  return result
}

test('A23: a link out of the folder is refused, one inside of it is followed', async () => {
  const outside = createMenusFolder({ 'secret.yaml': menuText('secret') })
  const { errors, served } = await readOdd(({ dir, write }) => {
    write('shared/side.txt', menuText('side'))
    symlinkSync('shared/side.txt', join(dir, 'side.yaml'))
    symlinkSync(join(outside.dir, 'secret.yaml'), join(dir, 'secret.yaml'))
    symlinkSync('/etc/passwd', join(dir, 'users.yaml'))
  })
  outside.close()
  assert.equal(served, ['main.yaml', 'side.yaml'])
  assert.equal(errors, ['secret.yaml:1:1 error outside-folder', 'users.yaml:1:1 error outside-folder'])
})

test('A23: a link that leads nowhere is reported, and is not a deletion', async () => {
  const { errors, served } = await readOdd(({ dir }) => symlinkSync('nowhere', join(dir, 'lost.yaml')))
  assert.equal(served, ['main.yaml'])
  assert.equal(errors, ['lost.yaml:1:1 error unreadable-file'])
})

test('A23: a link to a folder outside is reported and not entered', async () => {
  const outside = createMenusFolder({ 'secret.yaml': menuText('secret') })
  const { errors, served } = await readOdd(({ dir }) => symlinkSync(outside.dir, join(dir, 'more')))
  outside.close()
  assert.equal(served, ['main.yaml'])
  assert.equal(errors, ['more:1:1 error outside-folder'])
})

test('A23: a pipe with the name of a menu is refused, and opening it does not hang', async () => {
  const { errors, served } = await readOdd(({ dir }) => {
    assert.is(spawnSync('mkfifo', [join(dir, 'pipe.yaml')]).status, 0)
  })
  assert.equal(served, ['main.yaml'])
  assert.equal(errors, ['pipe.yaml:1:1 error not-a-file'])
})

test('A23: a file that becomes a pipe while it is served keeps its last good version', async () => {
  const folder = createMenusFolder({ 'main.yaml': menuText('main', 'good') })
  await openedOn(folder.dir, async (store) => {
    folder.remove('main.yaml')
    spawnSync('mkfifo', [join(folder.dir, 'main.yaml')])
    await eventually(() => assert.equal(errorsOf(store), ['main.yaml:1:1 error not-a-file']))
    assert.is(nameOf(store), 'good')
    folder.remove('main.yaml')
    folder.write('main.yaml', menuText('main', 'fixed'))
    await eventually(() => assert.is(nameOf(store), 'fixed'))
    assert.equal(errorsOf(store), [])
  })
  folder.close()
})

test('A23: a device is refused', async () => {
  const { errors } = await readOdd(({ dir }) => {
    // Only root may make one; the link leads to one that every machine has, and out of the folder at that.
    const made = spawnSync('mknod', [join(dir, 'null.yaml'), 'c', '1', '3']).status === 0
    if (!made) symlinkSync('/dev/null', join(dir, 'null.yaml'))
  })
  assert.is(errors.length, 1)
  assert.match(errors[0] ?? '', /^null\.yaml:1:1 error (not-a-file|outside-folder)$/)
})

test('A23: a folder with the name of a menu is reported, and its files are not read', async () => {
  const { errors, served } = await readOdd(({ write }) => write('x.yaml/inner.yaml', menuText('inner')))
  assert.equal(served, ['main.yaml'])
  assert.equal(errors, ['x.yaml:1:1 error not-a-file'])
})

// A27 as root: no permission stops us here, so a link that leads to itself stands for a file that cannot be read (ELOOP).
test('A27: a file that cannot be read is reported, and the others are served', async () => {
  const { errors, served } = await readOdd(({ dir }) => symlinkSync('loop.yaml', join(dir, 'loop.yaml')))
  assert.equal(served, ['main.yaml'])
  assert.equal(errors, ['loop.yaml:1:1 error unreadable-file'])
})

test('A27: a file that becomes unreadable keeps its last good version and heals', async () => {
  const folder = createMenusFolder({ 'main.yaml': menuText('main', 'good') })
  await openedOn(folder.dir, async (store, log) => {
    folder.remove('main.yaml')
    symlinkSync('main.yaml', join(folder.dir, 'main.yaml'))
    await eventually(() => assert.equal(errorsOf(store), ['main.yaml:1:1 error unreadable-file']))
    assert.is(nameOf(store), 'good')
    folder.remove('main.yaml')
    folder.write('main.yaml', menuText('main', 'good'))
    await eventually(() => assert.equal(errorsOf(store), []))
    assert.ok(log.some(({ event, path }) => event === 'menu_fixed' && path === 'main.yaml'))
  })
  folder.close()
})

test('A10: a folder that becomes a file takes its menus away', async () => {
  const folder = createMenusFolder({ 'a/main.yaml': menuText('main'), 'b.yaml': menuText('b') })
  await openedOn(folder.dir, async (store) => {
    folder.remove('a')
    folder.write('a', 'no folder any more')
    await eventually(() => assert.equal(servedPaths(store), ['b.yaml']))
    await eventually(() => assert.equal(errorsOf(store), []))
  })
  folder.close()
})

test('A23: a file that becomes a folder of that name keeps its last good version, and is reported', async () => {
  const folder = createMenusFolder({ 'main.yaml': menuText('main', 'good') })
  await openedOn(folder.dir, async (store) => {
    folder.remove('main.yaml')
    mkdirSync(join(folder.dir, 'main.yaml'))
    await eventually(() => assert.equal(errorsOf(store), ['main.yaml:1:1 error not-a-file']))
    assert.is(nameOf(store), 'good')
  })
  folder.close()
})

test('A23: a file that gives way to a link out of the folder, however fast, keeps its last good version', async () => {
  const outside = createMenusFolder({ 'secret.yaml': menuText('main', 'secret') })
  const folder = createMenusFolder({ 'main.yaml': menuText('main', 'good') })
  await openedOn(folder.dir, async (store) => {
    const names = new Set<string | null>()
    store.onChange(() => names.add(nameOf(store)))
    for (const pause of [0, 5, 15, 25, 40, 60]) {
      const start = performance.now()
      folder.remove('main.yaml')
      await sleep(pause)
      symlinkSync(join(outside.dir, 'secret.yaml'), join(folder.dir, 'main.yaml'))
      // A machine that held us up made it a deletion.
      const isDeleted = performance.now() - start >= 95
      await eventually(() => assert.equal(errorsOf(store), ['main.yaml:1:1 error outside-folder']))
      // Long enough for whatever waited for the file to hold still.
      await sleep(250)
      names.add(nameOf(store))
      folder.remove('main.yaml')
      folder.write('main.yaml', menuText('main', 'good'))
      await eventually(() => assert.equal([errorsOf(store), nameOf(store)], [[], 'good']))
      assert.not.ok(names.has('secret'))
      if (isDeleted) names.delete(null)
    }
    assert.equal([...names], ['good'])
  })
  folder.close()
  outside.close()
})

test('A folder more than 32 deep is reported and not read; one that is less deep is read', async () => {
  const deep = 'd/'.repeat(32)
  const { errors, served } = await readOdd(({ write }) => {
    write(`${deep}a.yaml`, menuText('a'))
    write(`${deep}d/b.yaml`, menuText('b'))
  })
  assert.equal(served, [`${deep}a.yaml`, 'main.yaml'])
  assert.equal(errors, [`${deep}d:1:1 error unreadable-file`])
})

test('A file whose name is not UTF-8 is reported, and the others are served', async () => {
  const folder = createMenusFolder({ 'main.yaml': menuText('main') })
  const odd = Buffer.concat([Buffer.from(`${folder.dir}/caf`), Buffer.from([0xe9]), Buffer.from('.yaml')])
  writeFileSync(odd, menuText('odd'))
  const check = (store: Store) => {
    assert.equal(servedPaths(store), ['main.yaml'])
    assert.equal(errorsOf(store), ['caf\ufffd.yaml:1:1 error unreadable-file'])
    assert.match(store.current.problems[0]?.what ?? '', 'UTF-8')
  }
  await openedOn(folder.dir, check, { watch: false })
  rmSync(odd)
  folder.close()
})

test.run()
