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
import { thrownBy } from './loading.js'

const QUIET = { environment: {}, watch: false, log: SILENT_LOG } as const

/** Checks what a function of the library throws, given inputs that its types refuse. */
async function refuses(
  call: () => unknown,
  told: RegExp,
  type: typeof ConfigurationError | typeof TypeError = ConfigurationError,
): Promise<void> {
  const error = await thrownBy(call)
  assert.instance(error, type)
  assert.match(error.message, told)
}

test('A misspelt option of openMenus is refused with a suggestion', async () => {
  const folder = createMenusFolder({ 'menus/main.yaml': 'version: 1\n' })
  for (const [given, told] of [
    [{ stric: true }, /"stric" is not an option; .* Did you mean "strict"\?/],
    [{ watc: false }, /"watc" is not an option; .* Did you mean "watch"\?/],
    [{ locales: ['es'] }, /"locales" is not an option; the options are folder, config, menus, strict/],
    [{ strict: 'yes' }, /openMenus: strict must be true or false\./],
    [{ folder: 3 }, /folder must be a string\./],
  ] as const)
    await refuses(() => openMenus({ ...QUIET, folder: folder.dir, ...given } as never), told)
  await refuses(() => openMenus('menus' as never), /The options must be an object with folder/)
  const menus = await openMenus({ ...QUIET, folder: folder.dir, stric: undefined } as never)
  await menus.close()
  folder.close()
})

test('A misspelt option of openStore, of a service and of its handler is refused in the same words', async () => {
  const folder = createMenusFolder({ 'main.yaml': 'version: 1\n' })
  const store = await openStore(folder.dir, { log: SILENT_LOG })
  const service = createMenuService(store, { log: SILENT_LOG })
  for (const [call, told] of [
    [
      () => openStore(folder.dir, { wach: true } as never),
      /openStore: "wach" is not an option; .* "watch"\?/,
    ],
    [() => createMenuService(store, { policy: {} } as never), /"policy" is not an option; .*"policies"\?/],
    [() => createMenuHandler(service, { logs: SILENT_LOG } as never), /"logs" is not an option; .*"log"\?/],
  ] as const)
    await refuses(call, told)
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
  ] as const)
    await refuses(() => tree('main', asked as never), told, TypeError)
  assert.equal(tree('main', { locale: null, contextSets: null }), [])
  await store.close()
  folder.close()
})

test.run()
