import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Log } from '../../src/service/log.js'
import type { Store } from '../../src/store/open-store.js'
import { eventually } from '../support/eventually.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { menuText, nameOf, openedOn } from './opening.js'

/** How often a folder is listed while something is done. */
async function countLists(folder: string, work: () => Promise<void>): Promise<number> {
  const { readdirSync } = fs
  let count = 0
  const counting = (...words: Parameters<typeof readdirSync>): ReturnType<typeof readdirSync> => {
    if (String(words[0]).startsWith(folder)) count++
    return readdirSync(...words)
  }
  Object.assign(fs, { readdirSync: counting })
  syncBuiltinESMExports()
  try {
    await work()
  } finally {
    Object.assign(fs, { readdirSync })
    syncBuiltinESMExports()
  }
  return count
}

test('What is written beside the folder has nobody look into it', async () => {
  const folder = createMenusFolder({ 'menus/main.yaml': menuText('main', 'v0') })
  const menus = join(folder.dir, 'menus')
  const following = async (): Promise<void> => {
    await sleep(700)
    const write = async (path: string): Promise<void> => {
      for (let turn = 0; turn < 20; turn++) {
        folder.write(path, `${turn}`)
        await sleep(20)
      }
    }
    assert.is(await countLists(menus, () => write('app.log')), 0)
    assert.ok((await countLists(menus, () => write('menus/other.txt'))) > 0)
  }
  await openedOn(menus, following, { rescanSeconds: 3_600 })
  folder.close()
})

test('A log that fails once keeps no change from being served', async () => {
  const folder = createMenusFolder({ 'main.yaml': menuText('main', 'v0') })
  let isFull = false
  const info = (): void => {
    if (isFull) throw new Error('The log is full.')
  }
  const silent = (): void => {}
  const log: Log = { debug: silent, info, warn: silent, error: silent }
  const following = async (store: Store): Promise<void> => {
    isFull = true
    folder.write('main.yaml', menuText('main', 'v1'))
    await eventually(() => assert.is(nameOf(store), 'v1'))
    isFull = false
    folder.write('main.yaml', menuText('main', 'v2'))
    await eventually(() => assert.is(nameOf(store), 'v2'))
  }
  await openedOn(folder.dir, following, { log })
  folder.close()
})

test.run()
