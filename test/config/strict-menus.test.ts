import { inspect } from 'node:util'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ConfigurationError, MenusError, openMenus } from '../../src/index.js'
import { SILENT_LOG } from '../../src/service/log.js'
import { createMenusFolder } from '../support/menus-folder.js'

const FINE = 'version: 1\ncode: main\nname: Main\nitems:\n  - label: Home\n    url: /\n'
const QUIET = { environment: {}, watch: false, log: SILENT_LOG } as const

/** What opening these files strictly rejects with; null when it does not. */
async function rejection(files: Readonly<Record<string, string>>, menus = 'menus'): Promise<unknown> {
  const folder = createMenusFolder(files)
  const opened = await openMenus({ ...QUIET, folder: folder.dir, menus, strict: true }).catch(
    (thrown) => thrown,
  )
  folder.close()
  if (opened instanceof Error) return opened
  await opened.close()
  return null
}

test('Opened strictly, an error in any file rejects with every place and code; warnings do not', async () => {
  const error = await rejection({
    'menus/main.yaml': FINE,
    'menus/b/wrong.yaml': FINE.replace('label', 'lable').replace('url: /', 'url: javascript:1'),
    'menus/odd.yaml': 'version: 1\ncode: [\n',
  })
  assert.instance(error, MenusError)
  const { message, problems, code } = error as MenusError
  assert.is(code, 'ERR_MENUS_INVALID')
  assert.match(message, /menus\/b\/wrong\.yaml:5:5: unknown-key: .*Did you mean "label"\?/)
  assert.match(message, /menus\/b\/wrong\.yaml:6:\d+: unsafe-url: /)
  assert.match(message, /menus\/odd\.yaml:\d+:\d+: yaml-syntax: /)
  assert.is(message.split('\n').length, problems.length)
  const warned = FINE.replace('label: Home', 'label: { en: Home, fr: Accueil }')
  assert.is(await rejection({ 'menus/main.yaml': warned }), null)
})

test('Opened strictly, a menus folder that is not there rejects; an empty one does not', async () => {
  const error = await rejection({ 'menus/main.yaml': FINE }, 'nowhere')
  assert.instance(error, MenusError)
  assert.match((error as MenusError).message, /nowhere: folder-missing: .*it does not exist/)
  assert.is(await rejection({ 'menus/readme.txt': '' }), null)
})

test('Opened strictly, an error is reported once: by the thrown error, not by the log or behind the message', async () => {
  const folder = createMenusFolder({ 'menus/wrong.yaml': 'version: 2\n', 'menus/main.yaml': FINE })
  const events: string[] = []
  const log = { ...SILENT_LOG, error: (event: string) => void events.push(event) }
  const inputs = { ...QUIET, folder: folder.dir, log }
  const error = await openMenus({ ...inputs, strict: true }).catch((thrown: unknown) => thrown)
  assert.equal(events, [])
  assert.is(inspect(error).split('version').length, (error as Error).stack?.split('version').length)
  assert.not.ok(Object.keys(error as Error).includes('problems'))
  const menus = await openMenus(inputs)
  folder.write('menus/wrong.yaml', FINE.replace('main', 'side'))
  const strict = await openMenus({ ...inputs, strict: true })
  events.length = 0
  folder.write('menus/wrong.yaml', 'version: 3\n')
  await strict.store.refresh()
  await strict.close()
  assert.ok(events.includes('menu_problem'))
  await menus.close()
  folder.close()
})

test('Otherwise, the same menus open, and their faults are among the problems', async () => {
  const folder = createMenusFolder({ 'menus/wrong.yaml': 'version: 2\n' })
  const menus = await openMenus({ ...QUIET, folder: folder.dir })
  assert.ok(menus.store.current.problems.length > 0)
  await menus.close()
  folder.close()
})

test('A menus folder that is not a path is a mistake of the configuration', async () => {
  for (const menus of ['', 3]) {
    const error = await openMenus({ ...QUIET, menus: menus as string }).catch((thrown: unknown) => thrown)
    assert.instance(error, ConfigurationError)
    assert.match((error as Error).message, 'menus must be the path')
  }
})

test.run()
