import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  ConfigurationError,
  createMenuHandler,
  createMenuService,
  openMenus,
  openStore,
} from '../../src/index.js'
import { SILENT_LOG } from '../../src/service/log.js'
import { createMenusFolder } from '../support/menus-folder.js'

const QUIET = { environment: {}, watch: false, log: SILENT_LOG } as const

/** What a function of the library throws or rejects with, given inputs that its types refuse. */
async function thrownBy(call: () => unknown): Promise<Error> {
  try {
    await call()
  } catch (thrown) {
    return thrown as Error
  }
  throw new Error('nothing was thrown')
}

test('A misspelt option of openMenus is refused with a suggestion', async () => {
  const folder = createMenusFolder({ 'menus/main.yaml': 'version: 1\n' })
  for (const [given, told] of [
    [{ stric: true }, /"stric" is not an option; .* Did you mean "strict"\?/],
    [{ watc: false }, /"watc" is not an option; .* Did you mean "watch"\?/],
    [{ locales: ['es'] }, /"locales" is not an option; the options are folder, config, menus, strict/],
    [{ strict: 'yes' }, /openMenus: strict must be true or false\./],
    [{ folder: 3 }, /folder must be a string\./],
  ] as const) {
    const error = await thrownBy(() => openMenus({ ...QUIET, folder: folder.dir, ...given } as never))
    assert.instance(error, ConfigurationError)
    assert.match(error.message, told)
  }
  assert.match(
    (await thrownBy(() => openMenus('menus' as never))).message,
    /The options must be an object with folder/,
  )
  const menus = await openMenus({ ...QUIET, folder: folder.dir, stric: undefined } as never)
  await menus.close()
  folder.close()
})

test('A misspelt option of openStore, of a service and of its handler is refused in the same words', async () => {
  const folder = createMenusFolder({ 'main.yaml': 'version: 1\n' })
  const misspelt = await thrownBy(() => openStore(folder.dir, { wach: true } as never))
  assert.instance(misspelt, ConfigurationError)
  assert.match(misspelt.message, /openStore: "wach" is not an option; .* Did you mean "watch"\?/)
  const store = await openStore(folder.dir, { log: SILENT_LOG })
  const service = createMenuService(store, { log: SILENT_LOG })
  for (const [call, told] of [
    [() => createMenuService(store, { policy: {} } as never), /"policy" is not an option; .*"policies"\?/],
    [() => createMenuHandler(service, { logs: SILENT_LOG } as never), /"logs" is not an option; .*"log"\?/],
  ] as const) {
    const error = await thrownBy(call)
    assert.instance(error, ConfigurationError)
    assert.match(error.message, told)
  }
  await store.close()
  folder.close()
})

test('A misspelt option of a tree is a TypeError, not the menu of an anonymous viewer', async () => {
  const folder = createMenusFolder({ 'main.yaml': 'version: 1\n' })
  const store = await openStore(folder.dir, { log: SILENT_LOG })
  const { tree } = createMenuService(store, { log: SILENT_LOG })
  for (const [asked, told] of [
    [{ contextsets: [{ id: 3 }] }, /"contextsets" is not an option; .* Did you mean "contextSets"\?/],
    [{ locle: 'es' }, /"locle" is not an option; .* Did you mean "locale"\?/],
    [{ locale: 3 }, /locale must be a string\./],
  ] as const) {
    const error = await thrownBy(() => tree('main', asked as never))
    assert.instance(error, TypeError)
    assert.match(error.message, told)
  }
  assert.equal(tree('main', { locale: null, contextSets: null }), [])
  await store.close()
  folder.close()
})

test.run()
