import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { errorsOf, menuText, nameOf, opened, servedOf, servedPaths, toLines } from './opening.js'

const STILL = { watch: false }

test('Menus are read from any folder, as .yaml and .yml in any case', async () => {
  const files = {
    'main.yaml': menuText('main'),
    'shop/side.yml': menuText('side'),
    'shop/deep/er/and deeper/foot.YAML': menuText('foot'),
    'ünï/🍰.yaml': menuText('cake'),
  }
  await opened(
    files,
    ({ store }) => {
      assert.equal(servedPaths(store).sort(), Object.keys(files).sort())
      assert.equal(store.current.problems, [])
    },
    STILL,
  )
})

test('A18: a file without the name of a menu is ignored silently', async () => {
  const files = {
    'main.yaml': menuText('main'),
    'README.md': '# x',
    'x.yaml.bak': '{',
    'x.json': '{',
    yaml: '',
  }
  await opened(
    files,
    ({ store, log }) => {
      assert.equal(servedPaths(store), ['main.yaml'])
      assert.is(store.current.files.length, 1)
      assert.equal(
        log.map(({ level, event }) => `${level} ${event}`),
        ['info menus_loaded'],
      )
    },
    STILL,
  )
})

test('A18: the files of editors and of Kubernetes are never loaded and never logged', async () => {
  const broken = 'code: [unfinished'
  const names = ['.x.yaml', '.x.yaml.swp', 'x.yaml~', 'x.yaml.swp', '#x#', '#x.yaml#', '4913', 'x.yaml.tmp']
  const odd = [...names, '.#x.yaml', '..data/x.yaml', '..2024_01_01/x.yaml', '.git/x.yaml', 'a/.b/x.yaml']
  await opened(
    { 'main.yaml': menuText('main'), ...Object.fromEntries(odd.map((name) => [name, broken])) },
    ({ store, log }) => {
      assert.equal(
        store.current.files.map(({ path }) => path),
        ['main.yaml'],
      )
      assert.equal(
        log.filter(({ level }) => level === 'error'),
        [],
      )
    },
    STILL,
  )
})

test('With a file prefix, only files whose name starts so are this service’s', async () => {
  const files = {
    'shop_main.yaml': menuText('main', 'ours'),
    'deep/shop_side.yaml': menuText('side'),
    'main.yaml': menuText('main', 'theirs'),
    'shop_/main.yaml': menuText('main', 'theirs, too'),
    'Shop_x.yaml': 'broken: [',
  }
  await opened(
    files,
    ({ store }) => {
      assert.equal(servedPaths(store), ['deep/shop_side.yaml', 'shop_main.yaml'])
      assert.is(nameOf(store), 'ours')
      assert.equal(store.current.problems, [])
    },
    { watch: false, filePrefix: 'shop_' },
  )
})

test('A28: a cold start leaves a broken file out, loudly, and serves the others', async () => {
  const files = { 'a.yaml': menuText('a'), 'b.yaml': 'version: 1\ncode: b\nnam: B\nitems: []\n' }
  await opened(
    files,
    ({ store, log }) => {
      assert.equal(servedPaths(store), ['a.yaml'])
      assert.equal(errorsOf(store), ['b.yaml:3:1 error unknown-key'])
      const [told] = log.filter(({ level }) => level === 'error')
      assert.equal([told?.event, told?.path, told?.line, told?.column], ['menu_problem', 'b.yaml', 3, 1])
    },
    STILL,
  )
})

test('The warnings of one code in a file share a line of the log, and each error has its own', async () => {
  const item = "  - { label: { en: A, es: A, xx: B, yy: C }, url: '' }\n"
  const text = (tail: string): string => `version: 1\ncode: a\nname: A\nitems:\n${tail}`
  const files = { 'a.yaml': text(item.replace("''", '/a').repeat(3)), 'b.yaml': text(item.repeat(2)) }
  await opened(
    files,
    ({ log }) => {
      const lines = log.filter(({ event }) => event === 'menu_problem')
      assert.equal(
        lines.map(({ level, path, code, line, more }) =>
          `${level} ${path}:${line} ${code} ${more ?? ''}`.trim(),
        ),
        [
          'error b.yaml:5 link-without-destination',
          'error b.yaml:6 link-without-destination',
          'info a.yaml:5 unknown-locale 5',
          'info b.yaml:5 unknown-locale 3',
        ],
      )
      assert.is(log.find(({ event }) => event === 'menus_loaded')?.unlisted, 0)
    },
    STILL,
  )
})

test('A21: two paths that differ only in case are reported as a clash, and both are served', async () => {
  const files = { 'Main.yaml': menuText('main'), 'main.yaml': menuText('other'), 'a/x.yaml': menuText('x') }
  await opened(
    files,
    ({ store }) => {
      assert.equal(toLines(store.current.problems), ['main.yaml:1:1 warning path-clash'])
      assert.match(store.current.problems[0]?.what ?? '', 'Main.yaml')
      assert.is(store.current.served.size, 3)
    },
    STILL,
  )
})

test('A22: of two files with the same code and an equal context the smallest path in byte order is served', async () => {
  const files = {
    'b.yaml': menuText('main', 'b', { id: 1, on: true }),
    'Z.yaml': menuText('main', 'Z', { on: true, id: 1.0 }),
    'a/a.yaml': menuText('main', 'a', { id: 1, on: true }),
    'c.yaml': menuText('main', 'c', { id: '1', on: true }),
  }
  await opened(
    files,
    ({ store }) => {
      assert.is(servedOf(store.current, 'main', { id: 1, on: true })?.name, 'Z')
      assert.equal(errorsOf(store), ['a/a.yaml:2:1 error duplicate-menu', 'b.yaml:2:1 error duplicate-menu'])
      for (const { what } of store.current.problems) assert.match(what, 'Z.yaml')
    },
    STILL,
  )
})

test('A25: a file over the limit is refused before it is read; one at the limit is served', async () => {
  const at = menuText('at').padEnd(400, '#')
  const over = `${menuText('over')}#`.padEnd(401, '#')
  const read: string[] = []
  await opened(
    { 'at.yaml': at, 'over.yaml': over },
    ({ store }) => {
      assert.equal(servedPaths(store), ['at.yaml'])
      assert.equal(errorsOf(store), ['over.yaml:1:1 error file-too-large'])
      // A file that was read has a version, which is the hash of its bytes.
      read.push(...store.current.files.filter(({ version }) => version !== '').map(({ path }) => path))
    },
    { watch: false, limits: { bytes: 400 } },
  )
  assert.equal(read, ['at.yaml'])
})

test('The same bytes have the same revision in any folder, and other bytes have another one', async () => {
  const files = { 'a.yaml': menuText('a'), 'b/c.yaml': menuText('c'), 'bad.yaml': 'version: 2' }
  const revisions: string[] = []
  const note = ({ store }: { store: { current: { revision: string } } }) =>
    void revisions.push(store.current.revision)
  await opened(files, note, STILL)
  await opened(Object.fromEntries(Object.entries(files).reverse()), note, STILL)
  await opened({ ...files, 'a.yaml': menuText('a', 'A') }, note, STILL)
  await opened({ 'a.yaml': files['a.yaml'], 'b/c.yaml': files['b/c.yaml'] }, note, STILL)
  const [first, same, ...others] = revisions
  assert.is(first, same)
  assert.is(new Set([first, ...others]).size, 3)
})

test('A snapshot is frozen through and through', async () => {
  await opened(
    { 'a.yaml': menuText('a') },
    ({ store }) => {
      const { current } = store
      const menu = servedOf(current, 'a')
      for (const value of [current, current.files, current.problems, menu, menu?.items, menu?.items[0]]) {
        assert.ok(value !== undefined && Object.isFrozen(value))
      }
      assert.throws(() => Object.assign(store, { current: null }), /getter|read.only/i)
    },
    STILL,
  )
})

test('A folder with nothing in it is an empty snapshot without a problem', async () => {
  await opened(
    {},
    ({ store }) => {
      assert.is(store.current.served.size, 0)
      assert.equal(store.current.problems, [])
    },
    STILL,
  )
})

test.run()
