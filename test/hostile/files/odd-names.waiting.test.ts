// A21: the disks of these tests tell cases apart, so that both files can lie there; on one that does not, there is but
// one file, and nothing to report. What is tried here is that a clash is found while running.
// A19: that a save keeps the style belongs to whatever saves.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, renameSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { errorsOf, menuText, opened, servedPaths, toLines } from '../../store/opening.js'
import { eventually } from '../../support/eventually.js'
import { nameIn, servedWhen } from './serving-store.js'

const LEFT_BEHIND = [
  ['vim', '.main.yaml.swp', '.main.yaml.swo', '4913', 'main.yaml~', '.main.yaml.un~', 'main.yaml.swp'],
  ['Emacs', '#main.yaml#', 'main.yaml~', '.#main.yaml', 'main.yaml.~1~'],
  ['JetBrains', 'main.yaml___jb_tmp___', 'main.yaml___jb_old___'],
  ['GTK, Kate, Sublime', '.goutputstream-1A2B3C', 'main.yaml.kDxXyz', '.sublb7f.tmp'],
  ['sed, perl, patch', 'sedAbCdEf', 'main.yaml.bak', 'main.yaml.orig', 'main.yaml.rej'],
  [
    'rsync, scp, browsers',
    '.main.yaml.a1B2c3',
    'main.yaml.part',
    'main.yaml.filepart',
    'main.yaml.crdownload',
  ],
  ['systems', '.DS_Store', '._main.yaml', 'Thumbs.db', '.nfs000000000001', '.~lock.main.yaml#'],
  ['git, Kubernetes', '.git/x.yaml', '..data/x.yaml', '..2026_11_21/x.yaml', '.gitkeep', 'main.yaml.lock'],
] as const

for (const [program, ...names] of LEFT_BEHIND) {
  test(`A18: what ${program} leaves behind while running is neither loaded nor reported`, async () => {
    await opened({ 'main.yaml': menuText('main') }, async ({ folder, store, log }) => {
      const [{ current }, told] = [store, log.length]
      for (const name of names) folder.write(name, 'code: [unfinished')
      symlinkSync('somebody@somewhere.1:2', join(folder.dir, '.#other.yaml'))
      await sleep(300)
      for (const name of names) folder.remove(name)
      await sleep(200)
      await store.refresh()
      assert.is(store.current, current)
      assert.equal(log.slice(told), [])
    })
  })
}

test('A19: a file that gets a byte order mark, CRLF or no last line break is the same menu', async () => {
  const text = menuText('main', 'plain')
  await opened({ 'main.yaml': text }, async ({ folder, store }) => {
    const itemsOf = (): unknown => store.current.served.get('main.yaml')?.menu.items
    const before = itemsOf()
    for (const odd of [
      `\ufeff${text}`,
      text.replaceAll('\n', '\r\n'),
      text.trimEnd(),
      `\ufeff${text}`.replaceAll('\n', '\r\n').trimEnd(),
    ]) {
      const { revision } = store.current
      folder.write('main.yaml', odd)
      await servedWhen(store, (snapshot) => snapshot.revision !== revision)
      assert.equal(itemsOf(), before)
      assert.equal(store.current.problems, [])
    }
  })
})

test('A20: bytes that are not UTF-8, UTF-16 and NUL are refused, the first with the offset, and heal', async () => {
  const text = menuText('main', 'good')
  const bytes = Buffer.from(text)
  const offset = text.indexOf('label: good') + 8
  const cases = [
    [
      Buffer.concat([bytes.subarray(0, offset), Buffer.from([0xc3, 0x28]), bytes.subarray(offset)]),
      String(offset),
    ],
    [Buffer.from(`\ufeff${text}`, 'utf16le'), 'UTF-16'],
    [Buffer.from(text.replace('label: good', 'label: go\0od')), ''],
  ] as const
  await opened({ 'main.yaml': text }, async ({ folder, store }) => {
    for (const [content, said] of cases) {
      folder.write('main.yaml', content)
      await servedWhen(store, ({ problems }) => problems.length > 0)
      assert.match(store.current.problems[0]?.what ?? '', said)
      assert.is(nameIn(store.current), 'good')
      folder.write('main.yaml', text)
      await servedWhen(store, ({ problems }) => problems.length === 0)
    }
  })
})

test('A21: names that differ in case only are reported while running, and a rename to another case is one', async () => {
  await opened({ 'main.yaml': menuText('main') }, async ({ folder, store }) => {
    folder.write('Main.yaml', menuText('other'))
    await eventually(() =>
      assert.equal(toLines(store.current.problems), ['main.yaml:1:1 warning path-clash']),
    )
    folder.remove('Main.yaml')
    await eventually(() => assert.equal(store.current.problems, []))
    renameSync(join(folder.dir, 'main.yaml'), join(folder.dir, 'MAIN.yaml'))
    await eventually(() => assert.equal(servedPaths(store), ['MAIN.yaml']))
    assert.equal(store.current.problems, [])
  })
})

test('A22: two files with one menu that appear at once, in either order, are one winner and one report', async () => {
  await opened({}, async ({ folder, store }) => {
    for (const order of [
      ['a.yaml', 'b.yaml'],
      ['b.yaml', 'a.yaml'],
    ]) {
      for (const path of order) folder.write(path, menuText('main', path))
      await eventually(() => assert.equal(errorsOf(store), ['b.yaml:2:1 error duplicate-menu']))
      assert.equal([nameIn(store.current, 'a.yaml'), nameIn(store.current, 'b.yaml')], ['a.yaml', null])
      for (const path of order) folder.remove(path)
      await eventually(() => assert.is(store.current.files.length, 0))
    }
  })
})

test('A23: a pipe, a pipe behind a link, a socket, and a folder that appear while running are refused at once', async () => {
  await opened({ 'main.yaml': menuText('main') }, async ({ folder, store }) => {
    assert.is(spawnSync('mkfifo', [join(folder.dir, 'pipe'), join(folder.dir, 'fifo.yaml')]).status, 0)
    symlinkSync('pipe', join(folder.dir, 'link.yaml'))
    mkdirSync(join(folder.dir, 'folder.yaml'))
    const server = createServer().listen(join(folder.dir, 'socket.yaml'))
    const refused = ['fifo.yaml', 'folder.yaml', 'link.yaml', 'socket.yaml']
    await eventually(() =>
      assert.equal(
        errorsOf(store),
        refused.map((path) => `${path}:1:1 error not-a-file`),
      ),
    )
    folder.write('main.yaml', menuText('main', 'served on'))
    await servedWhen(store, (snapshot) => nameIn(snapshot) === 'served on')
    server.close()
  })
})

const NOBODY = 65_534

test('A27: a file that may not be read any more keeps its last good version, is reported, and heals', async () => {
  await opened(
    { 'main.yaml': menuText('main', 'v0') },
    async ({ folder, store }) => {
      const isRoot = process.geteuid?.() === 0
      const file = join(folder.dir, 'main.yaml')
      chmodSync(folder.dir, 0o755)
      for (const name of ['v1', 'v2']) {
        folder.write('main.yaml', menuText('main', name))
        chmodSync(file, 0o000)
        const before = nameIn(store.current)
        // No permission stops root.
        if (isRoot) process.seteuid?.(NOBODY)
        try {
          await store.refresh()
        } finally {
          if (isRoot) process.seteuid?.(0)
        }
        assert.equal(errorsOf(store), ['main.yaml:1:1 error unreadable-file'])
        assert.match(store.current.problems[0]?.what ?? '', 'EACCES')
        assert.is(nameIn(store.current), before)
        chmodSync(file, 0o644)
        await store.refresh()
        assert.equal([errorsOf(store), nameIn(store.current)], [[], name])
      }
    },
    { watch: false },
  )
})

test.run()
