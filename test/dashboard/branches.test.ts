import * as assert from 'uvu/assert'
import { test } from '../support/test.js'
import { yaml } from '../support/yaml.js'
import { codeOf, keptIds, openForScript, type Script, textOf, versionOf } from './managing.js'

const MAIN = yaml`
  version: 1
  code: main
  name: Main
  items:
    # the front door
    - label: 'Home'   # not translated
      url: /
    - type: section
      label: Products   # all of them
      children:
        - {label: Lamps, url: /lamps}
        # best sold
        - label: Chairs
          url: >-
            /chairs
    - label: Help
      url: /help
`
const SIDE = yaml`
  version: 1
  code: side
  name: Side
  items:
      - label: About
        url: /about
`
const MENUS = { 'main.yaml': MAIN, 'side.yaml': SIDE }

const patched = async (script: Script, body: unknown): Promise<string> => {
  const version = await versionOf(script)
  const answer = await script('PATCH', '/menu?file=main.yaml', { body, version })
  assert.is(answer.status, 200, answer.text)
  return answer.headers['etag'] ?? ''
}
/** The id of the text that was replaced last. */
const keptId = async (script: Script): Promise<string> => (await keptIds(script))[0] ?? ''
const restore = (script: Script, body: object, version: string, query = '') =>
  script('POST', `/restore?file=main.yaml${query}`, { body, version })

test('An item that was deleted is restored to the byte, with its comments and what was below it', async () => {
  for (const [place, pointer] of Object.entries([
    '/items/0',
    '/items/1',
    '/items/2',
    '/items/1/children/1',
  ])) {
    const [script, site] = await openForScript({ menus: MENUS })
    const version = await patched(script, [{ op: 'remove', path: pointer }])
    const id = await keptId(script)
    const dry = await restore(script, { id, pointer }, version, '&dry_run=true')
    assert.match((dry.json() as { diff: string }).diff, '@@')
    const restored = await restore(script, { id, pointer }, version)
    assert.is(restored.status, 200, restored.text)
    assert.is(textOf(site), MAIN, place)
  }
})

test('An item that is still there gets its fields back, where it is now; later changes of others stay', async () => {
  const [script, site] = await openForScript({ menus: MENUS })
  await patched(script, [
    { op: 'replace', path: '/items/2/label', value: { en: 'Support', es: 'Ayuda' } },
    { op: 'move', from: '/items/2', path: '/items/0' },
  ])
  const id = await keptId(script)
  const version = await patched(script, [{ op: 'replace', path: '/name', value: 'Front' }])
  const restored = await restore(script, { id, pointer: '/items/2' }, version)
  assert.is(restored.status, 200, restored.text)
  const [head, tail] = MAIN.replace('name: Main', 'name: Front').split('\n  - label: Help')
  const moved = head?.replace('items:\n', 'items:\n  - label: Help\n    url: /help\n')
  assert.is(textOf(site), `${moved?.trimEnd()}\n`)
  assert.is(tail, '\n    url: /help\n')
})

test('What cannot be restored is said, and nothing is written', async () => {
  const [script, site] = await openForScript({ menus: MENUS })
  const version = await patched(script, [{ op: 'remove', path: '/items/1' }])
  const [id, text] = [await keptId(script), textOf(site)]
  const refused = async (body: object, tag = version) => codeOf(await restore(script, body, tag))
  assert.is(await refused({ id, pointer: '/items/1/children/0' }), '409 parent-gone')
  assert.is(await refused({ id, pointer: '/items/7' }), '422 no-item')
  assert.is(await refused({ id, pointer: 'items' }), '422 no-item')
  assert.is(await refused({ id, pointer: 1 }), '400 bad-body')
  assert.is(await refused({ id: 'none', pointer: '/items/1' }), '404 no-version')
  assert.is(await refused({ id, pointer: '/items/1' }, '"0"'), '412 changed')
  assert.is(textOf(site), text)
})

const move = async (
  script: Script,
  from: string,
  to: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Awaited<ReturnType<Script>>> => {
  const place = async (file: string, pointer: string) => {
    const version = (await versionOf(script, file)).slice(1, -1)
    return { file, version, pointer }
  }
  const body = { from: await place('main.yaml', from), to: await place('side.yaml', to), ...more }
  return script('POST', '/move', { body })
}

test('A branch moves to another menu with its comments, in the form of its new neighbours; both files or none', async () => {
  const [script, site] = await openForScript({ menus: MENUS })
  const answer = await move(script, '/items/1', '/items/0')
  assert.is(answer.status, 200, answer.text)
  const { files } = answer.json() as { files: { file: string; diff: string }[] }
  assert.equal(
    files.map(({ file }) => file),
    ['main.yaml', 'side.yaml'],
  )
  const side = textOf(site, 'side.yaml')
  assert.match(side, 'label: Products   # all of them')
  assert.match(side, /# best sold\n +- label: Chairs\n +url: >-\n +\/chairs\n/)
  assert.ok(side.endsWith('    - label: About\n      url: /about\n'))
  assert.not.match(textOf(site), 'Lamps')
  assert.match(textOf(site), '# the front door')
})

test('A copy leaves the branch where it is, and a branch that its new menu cannot take stays, too', async () => {
  const [script, site] = await openForScript({ menus: MENUS })
  const copied = await move(script, '/items/0', '/items/0/children/-', { copy: true })
  assert.is(copied.status, 200, copied.text)
  assert.is(textOf(site), MAIN)
  assert.match(textOf(site, 'side.yaml'), "'Home'   # not translated")
  const { menu } = (copied.json() as { files: { menu: { items: object[] } }[] }).files[0] ?? {}
  assert.equal(menu?.items[0], {
    ...{ label: 'About', url: '/about' },
    children: [{ label: 'Home', url: '/' }],
  })
  await patched(script, [{ op: 'add', path: '/items/0/id', value: 'home' }])
  const [main, side] = [textOf(site), textOf(site, 'side.yaml')]
  assert.is((await move(script, '/items/0', '/items/-', { copy: true })).status, 200)
  assert.is(codeOf(await move(script, '/items/0', '/items/-')), '422 invalid-menu')
  assert.is(textOf(site), main)
  assert.ok(textOf(site, 'side.yaml').startsWith(side))
})

test('A move needs both versions, two files, an item and a place for one', async () => {
  const [script] = await openForScript({ menus: MENUS })
  const places: readonly [string, string, string, object?][] = [
    ['/items/9', '/items/0', '422 no-item'],
    ['/items/0/label', '/items/0', '422 no-item'],
    ['/items/0', '/items', '422 no-item'],
    ['/items/0', '/display', '422 no-item'],
    ['/items/0', '/items/9', '422 bad-operation'],
    ['/items/0', '/items/0', '400 bad-body', { copy: 1 }],
    ['/items/0', '/items/0', '400 bad-body', { to: null }],
    ['/items/0', '/items/0', '422 bad-path', { to: { file: '../x', version: '', pointer: '' } }],
    ['/items/0', '/items/0', '412 changed', { to: { file: 'side.yaml', version: '0', pointer: '' } }],
  ]
  for (const [from, to, code, more] of places)
    assert.is(codeOf(await move(script, from, to, { ...more })), code, `${from} ${to}`)
  const version = (await versionOf(script)).slice(1, -1)
  const [from, to] = ['/items/0', '/items/1'].map((pointer) => ({ file: 'main.yaml', version, pointer }))
  assert.is(codeOf(await script('POST', '/move', { body: { from, to } })), '422 same-file')
})

test.run()
