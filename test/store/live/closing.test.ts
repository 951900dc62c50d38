import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { SILENT_LOG } from '../../../src/service/log.js'
import { openStore } from '../../../src/store/live/open-store.js'
import { eventually } from '../../support/eventually.js'
import { createMenusFolder } from '../../support/menus-folder.js'
import { runProcess } from '../../support/process.js'
import { programOf } from '../../support/programs.js'
import { menuText, nameOf, readerOf } from '../opening.js'

async function run(then: 'left' | 'closed' | 'closed-later' | 'closed-and-replaced'): Promise<string> {
  const folder = createMenusFolder({ 'menus/a.yaml': menuText('a'), 'menus/b/c.yaml': menuText('c') })
  const words = [...programOf('store/live/leaving.program.ts'), `${folder.dir}/menus`, then]
  const child = runProcess('node', words)
  const late = sleep(120_000, null, { ref: false })
  const ended = await Promise.race([child, late])
  folder.close()
  return ended === null ? 'it did not end' : `${ended.code} ${ended.stdout}${ended.stderr}`
}

test('A store that does not watch holds nothing open: a program that leaves it so ends by itself', async () => {
  assert.is(await run('left'), '0 2\n')
})

test('A store that watched and was closed holds nothing open', async () => {
  assert.is(await run('closed'), '0 2\n')
  assert.is(await run('closed-later'), '0 2\n')
})

test('A closed store follows nothing any more, and closing twice is fine', async () => {
  const folder = createMenusFolder({ 'main.yaml': menuText('main', 'first') })
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
  const options = { watch: true, filePrefix: '', rescanSeconds: 0.1, log }
  const store = await openStore(folder.dir, readerOf(), options)
  folder.write('main.yaml', menuText('main', 'second'))
  await eventually(() => assert.is(nameOf(store), 'second'))
  await Promise.all([store.close(), store.close()])
  const { current } = store
  folder.write('main.yaml', menuText('main', 'third'))
  await sleep(500)
  assert.is(store.current, current)
  await store.close()
  folder.close()
})

test('A rescan that runs when the store is closed ends first', async () => {
  const folder = createMenusFolder({ 'main.yaml': menuText('main', 'first') })
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
  const store = await openStore(folder.dir, readerOf(), {
    watch: true,
    filePrefix: '',
    rescanSeconds: 5,
    log,
  })
  folder.write('main.yaml', menuText('main', 'second'))
  const looked = store.refresh()
  await store.close()
  assert.is(nameOf(store), 'second')
  await looked
  folder.close()
})

// /proc tells of Linux only; elsewhere nothing is checked but that the loop works.
test('Opening and closing again and again leaves no descriptor behind', async () => {
  const folder = createMenusFolder({ 'a/main.yaml': menuText('main') })
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
  const open = () => (process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0)
  const turn = async () => {
    const store = await openStore(folder.dir, readerOf(), {
      watch: true,
      filePrefix: '',
      rescanSeconds: 5,
      log,
    })
    await sleep(20)
    await store.close()
  }
  await turn()
  const before = open()
  for (let count = 0; count < 20; count++) await turn()
  await eventually(() => assert.ok(open() <= before + 2, `${before} descriptors became ${open()}`))
  folder.close()
})

test('A rescan that is requested after the store is closed does not run', async () => {
  const folder = createMenusFolder({ 'main.yaml': menuText('main', 'first') })
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
  const options = { watch: true, filePrefix: '', rescanSeconds: 5, log }
  const store = await openStore(folder.dir, readerOf(), options)
  await store.close()
  folder.write('main.yaml', menuText('main', 'second'))
  await store.refresh()
  assert.is(nameOf(store), 'first')
  folder.close()
})

test('A rescan that is requested after the store is closed holds nothing open, another folder or not', async () => {
  assert.is(await run('closed-and-replaced'), '0 2\n')
})

test('Simultaneous refreshes are one, and each includes the files as they were when it was requested', async () => {
  const folder = createMenusFolder({ 'main.yaml': menuText('main', 'v0') })
  const options = { watch: false, filePrefix: '', rescanSeconds: 5, log: SILENT_LOG }
  const store = await openStore(folder.dir, readerOf(), options)
  const asked = Array.from({ length: 1_000 }, () => store.refresh())
  assert.is(new Set(asked).size, 1)
  for (let version = 1; version <= 20; version++) {
    // Some come before the one that runs has read the file, and some after.
    for (let turn = 0; turn < version; turn++) await Promise.resolve()
    folder.write('main.yaml', menuText('main', `v${version}`))
    const served = async (): Promise<void> => {
      await store.refresh()
      assert.ok(Number(nameOf(store)?.slice(1)) >= version, `v${version}`)
    }
    asked.push(served())
  }
  await Promise.all(asked)
  assert.is(nameOf(store), 'v20')
  await store.close()
  await store.refresh()
  folder.close()
})

test.run()
