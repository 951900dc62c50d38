import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { loadConfig } from '../../src/config/load-config.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { optionOf } from './loading.js'

interface Given {
  readonly variable?: string
  readonly flag?: string
  readonly file?: string
}

/** Where the menus are, from the folder that the command runs in, and what says so. */
async function menusOf({ variable, flag, file }: Given): Promise<readonly unknown[]> {
  const folder = createMenusFolder(file === undefined ? {} : { 'site/menuscript.config.yaml': file })
  const config = await loadConfig({
    folder: folder.dir,
    file: file === undefined ? null : 'site/menuscript.config.yaml',
    environment: variable === undefined ? {} : { MENUSCRIPT_MENUS: variable },
    flags: {},
    menus: flag === undefined ? null : { path: flag, origin: { kind: 'flag', where: '--menus' } },
  })
  folder.close()
  assert.equal(
    config.problems.map(({ what }) => what),
    [],
  )
  return [config.menusFolder.slice(folder.dir.length + 1), optionOf(config, 'storage.connections')[1]]
}

test('The flag overrides the variable, the variable the file, the file the default', async () => {
  const file = 'storage: { connections: { default: content } }'
  assert.equal(await menusOf({ flag: 'a', variable: 'b', file }), ['a', '--menus'])
  assert.equal(await menusOf({ variable: 'b', file }), ['b', 'MENUSCRIPT_MENUS'])
  assert.equal(await menusOf({ file }), ['site/content', 'site/menuscript.config.yaml:1'.slice(5)])
  assert.equal(await menusOf({}), ['menus', 'default'])
})

test('It is the folder of the connection in use, whether or not the file has one for it', async () => {
  for (const connections of ['{ live: a, draft: b }', '{ live: a }']) {
    const file = `storage: { connection: draft, connections: ${connections} }`
    assert.equal(await menusOf({ flag: 'c', file }), ['c', '--menus'], connections)
  }
})

test('An empty path is refused: it would be the current folder', async () => {
  for (const menus of ['', '  ']) {
    const { problems } = await loadConfig({
      ...{ folder: '/', file: false, flags: {} },
      environment: { MENUSCRIPT_MENUS: menus },
    })
    assert.equal(
      problems.map(({ path, code }) => `${path} ${code}`),
      ['MENUSCRIPT_MENUS bad-value'],
    )
  }
})

test.run()
