import { statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parseMenuFile } from '../../../src/document/parse.js'
import { scanDisk } from '../../../src/store/disk-tree.js'
import { contentHash } from '../../../src/store/hash.js'
import { createContentCheck } from '../../../src/store/live/content-check.js'
import { load, NOTHING } from '../../../src/store/load.js'
import { DEFAULT_LIMITS } from '../../support/limits.js'
import { createMenusFolder, menusIn } from '../../support/menus-folder.js'
import { menuText, readerOf } from '../opening.js'

const TURNS = 4

test('All contents are read in so many turns, and only files with another content are found', async () => {
  const names = Array.from({ length: 10 }, (_, place) => `m${place}.yaml`)
  const folder = createMenusFolder(Object.fromEntries(names.map((name, at) => [name, menuText(`m${at}`)])))
  const menus = menusIn(folder.dir)
  const options = { ...readerOf(), hash: contentHash }
  const parse = (path: string, bytes: Uint8Array) => parseMenuFile(path, bytes, options)
  const { files } = await load(await scanDisk(menus, DEFAULT_LIMITS), NOTHING, { parse })
  const find = createContentCheck(menus, DEFAULT_LIMITS, TURNS)
  const findAll = async (): Promise<string[]> => {
    const found: string[] = []
    for (let turn = 0; turn < TURNS; turn++) found.push(...(await find(files)))
    return found
  }
  assert.equal(await findAll(), [])
  const place = join(folder.dir, 'm3.yaml')
  const { atime, mtime } = statSync(place)
  writeFileSync(place, menuText('m7'))
  utimesSync(place, atime, mtime)
  assert.equal(await findAll(), ['m3.yaml'])
  folder.close()
})

test.run()
