import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { menuText } from '../../http/sites.js'
import { createHub, type Hub } from '../../support/hub.js'
import { commitFolder, gitIn } from '../../support/repository.js'
import { closing, test } from '../../support/test.js'
import { attempt, folderForClones, opened, placeIn } from './following.js'

const FILE = 'menus/main.yaml'

function hubWith(files: Readonly<Record<string, string>> = { [FILE]: menuText('main', 'One') }): Hub {
  return closing(createHub(files))
}

/** The names and texts of a folder, `.git` included. */
function contentsOf(dir: string): readonly string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => entry.isFile())
    .map(
      (entry) => `${join(entry.parentPath, entry.name)} ${readFileSync(join(entry.parentPath, entry.name))}`,
    )
    .sort()
}

const FOREIGN: Readonly<Record<string, (dir: string) => void>> = {
  "somebody's repository": (dir) => {
    writeFileSync(join(dir, 'work.txt'), 'committed')
    commitFolder(dir, 'work.txt')
    writeFileSync(join(dir, 'work.txt'), 'the work of a day')
  },
  "somebody's repository without files": (dir) => void gitIn(dir, 'init', '--quiet'),
  files: (dir) => writeFileSync(join(dir, 'work.txt'), 'the work of a day'),
  'a linked work tree': (dir) => writeFileSync(join(dir, '.git'), 'gitdir: /nowhere\n'),
  'a link in place of the git folder': (dir) => {
    mkdirSync(join(dir, '..', 'other'))
    symlinkSync(join(dir, '..', 'other'), join(dir, '.git'))
  },
}

for (const [name, make] of Object.entries(FOREIGN)) {
  test(`a folder with ${name} is refused, and nothing in it changes`, async () => {
    const place = placeIn(folderForClones(), { url: hubWith().url })
    mkdirSync(place.folder)
    make(place.folder)
    const before = contentsOf(place.folder)
    const { fault } = await attempt(place)
    assert.match(fault ?? '', 'needs an empty folder')
    assert.equal(contentsOf(place.folder), before)
  })
}

test('a folder that cannot be used is refused with its path', async () => {
  const folder = folderForClones()
  folder.write('file', '')
  const { fault } = await attempt(
    placeIn(folder, { url: hubWith().url, folder: join(folder.dir, 'file/clone') }),
  )
  assert.match(fault ?? '', 'file/clone (storage.git.clone) cannot be used')
})

test('a second process is kept from a clone as long as the first one uses it', async () => {
  const place = placeIn(folderForClones(), { url: hubWith().url })
  const first = await opened(place)
  const { fault } = await attempt({ ...place, url: hubWith().url })
  assert.match(fault ?? '', 'another process uses the clone')
  assert.is((await first.follow()).fault, null)
  await first.close()
  assert.is((await attempt(place)).fault, null)
})

test('a clone at a path too long for a socket works, and puts nothing beside it', async () => {
  const folder = folderForClones()
  const name = 'x'.repeat(120)
  const remote = await opened(
    placeIn(folder, { url: hubWith().url, folder: join(folder.dir, name, 'clone') }),
  )
  assert.is((await remote.follow()).fault, null)
  assert.equal(readdirSync(folder.dir), [name])
})

test('an empty git folder, and a clone that was just begun, are gone on with', async () => {
  const folder = folderForClones()
  const { url } = hubWith()
  for (const [name, files] of [
    ['a', []],
    ['b', ['menuscript']],
  ] as const) {
    folder.write(`${name}/x`, '')
    folder.remove(`${name}/x`)
    mkdirSync(join(folder.dir, name, '.git'))
    for (const file of files) folder.write(`${name}/.git/${file}`, '')
    const remote = await opened(placeIn(folder, { url, folder: join(folder.dir, name) }))
    assert.is(gitIn(remote.repository.root, 'status', '--short'), '')
  }
})

test('locks that killed processes left are removed at the start', async () => {
  const hub = hubWith()
  const place = placeIn(folderForClones(), { url: hub.url })
  await (await opened(place)).close()
  const commit = hub.push({ [FILE]: menuText('main', 'Two') })
  const names = [
    ...['index', 'HEAD', 'config', 'shallow', 'packed-refs'],
    ...['refs/heads/main', 'refs/remotes/origin/main'],
  ]
  const locks = names.map((name) => join(place.folder, '.git', `${name}.lock`))
  for (const lock of locks) writeFileSync(lock, '')
  const { remote, events } = await attempt(place)
  assert.is(remote?.state().commit, commit)
  assert.is(events.filter(({ event }) => event === 'remote_lock_removed').length, locks.length)
  assert.not.ok(locks.some((lock) => existsSync(lock)))
})

test('an old lock that appears while the service runs does not stop it', async () => {
  const hub = hubWith()
  const remote = await opened(placeIn(folderForClones(), { url: hub.url }))
  for (const name of ['index', 'refs/remotes/origin/main', 'HEAD']) {
    const lock = join(remote.repository.root, '.git', `${name}.lock`)
    writeFileSync(lock, '')
    utimesSync(lock, 0, 0)
    const commit = hub.push({ [FILE]: menuText('main', name) })
    await remote.follow()
    assert.is(remote.state().commit, commit, name)
  }
})

test('without the remote, the last state is served, and nothing of another repository or branch', async () => {
  const [hub, other] = [hubWith(), hubWith({ 'menus/other.yaml': menuText('other', 'Other') })]
  const place = placeIn(folderForClones(), { url: hub.url })
  const first = await opened(place)
  const { commit } = first.state()
  await first.close()
  renameSync(hub.url, `${hub.url}.away`)
  const { remote, events } = await attempt(place)
  assert.is(remote?.state().commit, commit)
  assert.type(remote?.state().fault, 'string')
  assert.ok(events.some(({ event }) => event === 'remote_unreachable'))
  renameSync(`${hub.url}.away`, hub.url)
  assert.is((await remote?.follow())?.fault, null)
  assert.is(remote?.state().fault, null)
  await remote?.close()
  assert.match((await attempt({ ...place, branch: 'other' })).fault ?? '', /couldn't find remote ref/)
  renameSync(other.url, `${other.url}.away`)
  assert.type((await attempt({ ...place, url: other.url })).fault, 'string')
  renameSync(`${other.url}.away`, other.url)
  const moved = await opened({ ...place, url: other.url })
  assert.equal(readdirSync(join(moved.repository.root, 'menus')), ['other.yaml'])
  assert.is(gitIn(moved.repository.root, 'rev-list', '--count', '--all'), '1')
})

test('another branch, path, or need of history over a clone gives what a new clone would have', async () => {
  const hub = hubWith({ [FILE]: menuText('main', 'One'), 'a b/[x]/more.yaml': menuText('more', 'More') })
  hub.git('config', 'uploadpack.allowFilter', 'true')
  hub.push({ [FILE]: menuText('main', 'Two') })
  hub.git('branch', 'next', 'main')
  hub.push({ [FILE]: menuText('main', 'Three') })
  const folder = folderForClones()
  const url = `file://${hub.url}`
  const seenAs = async (change: object): Promise<readonly string[]> => {
    const remote = await opened(placeIn(folder, { url, ...change }))
    const { root } = remote.repository
    const found = contentsOf(root).filter((each) => !each.includes('/.git/'))
    await remote.close()
    const count = gitIn(root, 'rev-list', '--count', 'HEAD')
    return [count, gitIn(root, 'fsck'), ...found.map((each) => each.slice(root.length + 1, -1))]
  }
  const text = (name: string): string => `menus/main.yaml ${menuText('main', name)}`.slice(0, -1)
  const more = `a b/[x]/more.yaml ${menuText('more', 'More')}`.slice(0, -1)
  assert.equal(await seenAs({}), ['3', '', text('Three')])
  assert.equal(await seenAs({ branch: 'next' }), ['2', '', text('Two')])
  assert.equal(await seenAs({ path: 'a b/[x]' }), ['3', '', more])
  assert.equal(await seenAs({ path: '' }), ['3', '', more, text('Three')])
  assert.equal(await seenAs({}), ['3', '', text('Three')])
  assert.equal(await seenAs({ hasHistory: false }), ['1', '', text('Three')])
  assert.equal(await seenAs({}), ['3', '', text('Three')])
})

test('files that a killed checkout left are not served', async () => {
  const hub = hubWith()
  const place = placeIn(folderForClones(), { url: hub.url })
  const remote = await opened(place)
  await remote.close()
  writeFileSync(join(place.folder, 'menus/left.yaml'), menuText('left', 'Left'))
  writeFileSync(join(place.folder, FILE), 'half')
  const again = await opened(place)
  assert.equal(readdirSync(join(place.folder, 'menus')), ['main.yaml'])
  assert.is(gitIn(again.repository.root, 'status', '--short'), '')
})

for (const [name, text] of Object.entries({ 'has other bytes': 'DIRC of another kind', 'is empty': 'x' }))
  test(`a clone whose index ${name} is repaired`, async () => {
    const hub = hubWith()
    const place = placeIn(folderForClones(), { url: hub.url })
    await (await opened(place)).close()
    writeFileSync(join(place.folder, '.git/index'), text.repeat(name === 'is empty' ? 0 : 9))
    const { remote, fault } = await attempt(place)
    assert.is(fault, null)
    assert.is(gitIn(place.folder, 'status', '--short'), '')
    writeFileSync(join(place.folder, '.git/index'), text.repeat(name === 'is empty' ? 0 : 9))
    const commit = hub.push({ [FILE]: menuText('main', 'Two') })
    assert.is((await remote?.follow())?.value, commit)
  })

test('After a restart without the remote, it is known how long the remote has been away', async () => {
  const hub = hubWith()
  const place = placeIn(folderForClones(), { url: hub.url })
  await (await opened(place)).close()
  const hourAgo = new Date(Date.now() - 3_600_000)
  utimesSync(join(place.folder, '.git', 'menuscript'), hourAgo, hourAgo)
  renameSync(hub.url, `${hub.url}.away`)
  const away = await opened(place)
  assert.ok(away.state().behindSeconds >= 3_600)
  await away.close()
  renameSync(`${hub.url}.away`, hub.url)
  const back = await opened(place)
  assert.ok(back.state().behindSeconds < 3_600)
  await back.close()
  assert.ok(statSync(join(place.folder, '.git', 'menuscript')).mtimeMs > hourAgo.getTime())
})

test.run()
