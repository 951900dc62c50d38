import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../../support/eventually.js'
import { yaml } from '../../support/yaml.js'
import { errorsOf, menuText, nameOf, opened, servedOf, servedPaths } from '../opening.js'

const GOOD = menuText('main', 'good')
const CONFLICT = GOOD.replace('name: good\n', '<<<<<<< HEAD\nname: good\n=======\nname: bad\n>>>>>>> main\n')

/** What a save can leave behind, by the case of reliability.md, with the place and the code that are told. */
const BROKEN: readonly (readonly [rule: string, content: string | Uint8Array, error: string])[] = [
  ['A1: YAML that is none', GOOD.replace('name: good', 'name: [good'), '3:11 error yaml-syntax'],
  ['A2: YAML that is no menu', GOOD.replace('url:', 'ulr:'), '6:5 error unknown-key'],
  ['A3: a file of zero bytes', '', '1:1 error empty-file'],
  ['A3: a file of comments only', '# later\n', '1:1 error empty-file'],
  ['A9: the marks of a merge conflict', CONFLICT, '3:1 error merge-conflict'],
  ['A20: a byte that is not UTF-8', Buffer.from([...Buffer.from(GOOD), 0xff]), '7:1 error not-utf8'],
  ['A20: a NUL in a label', GOOD.replace('label: good', 'label: g\0od'), '5:13 error control-character'],
  ['A25: a file over the limit', GOOD.padEnd(3000, '#'), '1:1 error file-too-large'],
]

for (const [rule, content, error] of BROKEN) {
  test(`${rule} keeps the last good version, reports its place, and heals by itself`, async () => {
    const files = { 'main.yaml': GOOD, 'side.yaml': menuText('side') }
    const following = async ({ folder, store, log }: Parameters<Parameters<typeof opened>[1]>[0]) => {
      folder.write('main.yaml', content)
      await eventually(() => assert.equal(errorsOf(store), [`main.yaml:${error}`]))
      assert.is(nameOf(store), 'good')
      assert.is(nameOf(store, 'side'), 'side')
      assert.is(store.current.served.get('main.yaml')?.stale, true)
      const [line = '', column] = error.split(/[: ]/)
      assert.ok(
        log.some((each) => each.level === 'error' && `${each.line}:${each.column}` === `${line}:${column}`),
      )
      folder.write('main.yaml', menuText('main', 'fixed'))
      await eventually(() => assert.is(nameOf(store), 'fixed'))
      assert.equal(errorsOf(store), [])
      assert.is(store.current.served.get('main.yaml')?.stale, false)
      assert.ok(log.some((each) => each.event === 'menu_fixed' && each.path === 'main.yaml'))
    }
    await opened(files, following, { limits: { bytes: 2000 } })
  })
}

test('A1: a broken file that is broken in another way still serves its last good version', async () => {
  await opened({ 'main.yaml': GOOD }, async ({ folder, store }) => {
    folder.write('main.yaml', 'a: [')
    await eventually(() => assert.is(errorsOf(store).length, 1))
    folder.write('main.yaml', '')
    await eventually(() => assert.equal(errorsOf(store), ['main.yaml:1:1 error empty-file']))
    assert.is(nameOf(store), 'good')
  })
})

test('A1: a file that breaks and is fixed to what it was serves the very same menu', async () => {
  await opened({ 'main.yaml': GOOD }, async ({ folder, store }) => {
    const { current } = store
    folder.write('main.yaml', 'a: [')
    await eventually(() => assert.is(errorsOf(store).length, 1))
    assert.is(servedOf(store.current, 'main'), servedOf(current, 'main'))
    assert.is.not(store.current.revision, current.revision)
    folder.write('main.yaml', GOOD)
    await eventually(() => assert.is(errorsOf(store).length, 0))
    assert.is(store.current.revision, current.revision)
    assert.equal(servedOf(store.current, 'main'), servedOf(current, 'main'))
  })
})

test('A10: a broken file that is deleted is gone, and does not come back broken', async () => {
  await opened({ 'main.yaml': GOOD }, async ({ folder, store }) => {
    folder.write('main.yaml', 'a: [')
    await eventually(() => assert.is(errorsOf(store).length, 1))
    folder.remove('main.yaml')
    await eventually(() => assert.equal(errorsOf(store), []))
    assert.is(nameOf(store), null)
    folder.write('main.yaml', 'a: [')
    await eventually(() => assert.is(errorsOf(store).length, 1))
    assert.is(nameOf(store), null)
  })
})

test('A22: a file that becomes a duplicate keeps its former content, and is reported', async () => {
  await opened({ 'a.yaml': menuText('a'), 'b.yaml': menuText('b') }, async ({ folder, store }) => {
    folder.write('b.yaml', menuText('a', 'second a'))
    await eventually(() => assert.equal(errorsOf(store), ['b.yaml:2:1 error duplicate-menu']))
    assert.equal([nameOf(store, 'a'), nameOf(store, 'b')], ['a', 'b'])
    folder.remove('a.yaml')
    await eventually(() => assert.equal(errorsOf(store), []))
    assert.equal([nameOf(store, 'a'), nameOf(store, 'b')], ['second a', null])
  })
})

test('A22: a new file with a smaller path takes the place of an older one, as after a restart', async () => {
  await opened({ 'b.yaml': menuText('main', 'b') }, async ({ folder, store }) => {
    folder.write('a.yaml', menuText('main', 'a'))
    await eventually(() => assert.is(nameOf(store), 'a'))
    assert.equal(errorsOf(store), ['b.yaml:2:1 error duplicate-menu'])
    folder.remove('a.yaml')
    await eventually(() => assert.is(nameOf(store), 'b'))
    assert.equal(errorsOf(store), [])
  })
})

test('A28: a menu that broke while running is left out after a restart, and served once fixed', async () => {
  const text = yaml`
    version: 1
    code: main
    items: []
  `
  await opened({ 'main.yaml': text }, async ({ folder, store }) => {
    assert.equal(servedPaths(store), [])
    assert.equal(errorsOf(store), ['main.yaml:1:1 error missing-key'])
    folder.write('main.yaml', GOOD)
    await eventually(() => assert.is(nameOf(store), 'good'))
  })
})

test.run()
