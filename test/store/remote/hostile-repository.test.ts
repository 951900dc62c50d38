import { spawnSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { menuPath, menuText, type OpenSite, openSite } from '../../http/sites.js'
import { sized } from '../../support/figures.js'
import { createHub, type Hub } from '../../support/hub.js'
import { gitIn } from '../../support/repository.js'
import { closing, test } from '../../support/test.js'
import { attempt, folderForClones, opened, placeIn } from './following.js'

const FILE = 'menus/main.yaml'
const ONE = { [FILE]: menuText('main', 'One') }

function hubWith(files: Readonly<Record<string, string>> = ONE): Hub {
  return closing(createHub(files))
}

type Entry = readonly [mode: string, path: string, text: string]

/** Puts a tree on `main` that no work tree could have, entry by entry, one name deep. */
function plant(hub: Hub, entries: readonly Entry[]): string {
  const put = (text: string): string => {
    const { stdout } = spawnSync('git', ['hash-object', '-w', '--stdin'], {
      cwd: hub.url,
      input: text,
      encoding: 'utf8',
    })
    return stdout.trim()
  }
  const lines = entries.map(([mode, path, text]) => {
    const type = mode === '040000' ? 'tree' : mode === '160000' ? 'commit' : 'blob'
    return `${mode} ${type} ${type === 'blob' ? put(text) : text}\t${path}`
  })
  const made = spawnSync('git', ['mktree', '--missing'], {
    cwd: hub.url,
    input: `${lines.join('\n')}\n`,
    encoding: 'utf8',
  })
  assert.is(made.status, 0, made.stderr)
  const commit = hub.git('commit-tree', made.stdout.trim(), '-p', 'main', '-m', 'Planted')
  hub.git('update-ref', 'refs/heads/main', commit)
  return commit
}

async function openOn(hub: Hub, config: object = {}): Promise<OpenSite> {
  return closing(await openSite({}, { config: { storage: { git: { remote: hub.url, ...config } } } }))
}

async function labelsOf({ ask }: OpenSite): Promise<string> {
  const nodes = (await ask(menuPath('main'))).json() as { label: string }[]
  return nodes.map(({ label }) => label).join()
}

test('a link is a file with the path of its target: none leads out of the clone, or into its git folder', async () => {
  const hub = hubWith()
  const root = hub.git('rev-parse', 'main:menus')
  plant(hub, [
    ['040000', 'menus', root],
    ['120000', 'etc', '/etc'],
  ])
  const links = plant(hub, [
    ['120000', 'hosts.yaml', '/etc/hosts'],
    ['120000', 'config.yaml', '../.git/config'],
    ['120000', 'near.yaml', 'main.yaml'],
    ['100644', 'main.yaml', menuText('main', 'One')],
  ])
  plant(hub, [['040000', 'menus', hub.git('rev-parse', `${links}^{tree}`)]])
  const site = await openOn(hub)
  const menus = join(site.folder.dir, '.menuscript-clone/menus')
  for (const name of readdirSync(menus)) assert.ok(lstatSync(join(menus, name)).isFile(), name)
  assert.is(readFileSync(join(menus, 'hosts.yaml'), 'utf8'), '/etc/hosts')
  assert.is(await labelsOf(site), 'One')
})

test('a menus folder that is a link serves nothing', async () => {
  const outside = folderForClones()
  outside.write('main.yaml', menuText('main', 'Outside'))
  const hub = hubWith()
  plant(hub, [['120000', 'menus', outside.dir]])
  const site = await openOn(hub)
  assert.is(await labelsOf(site), '')
  assert.ok(site.events.some(({ fields }) => fields['code'] === 'folder-missing'))
})

for (const name of ['.git', '.GIT', 'git~1', '.g\u200cit', '..', '.', '.git ', '.git::$INDEX_ALLOCATION']) {
  test(`a folder named ${JSON.stringify(name)} in a commit gets nothing into the git folder of the clone`, async () => {
    const hub = hubWith()
    const place = placeIn(folderForClones(), { url: hub.url, path: '' })
    const remote = await opened(place)
    const before = remote.state().commit
    const config = readFileSync(join(place.folder, '.git/config'), 'utf8')
    const inner = plant(hub, [['100644', 'config', '[core]\n\tfsmonitor = touch /tmp/never\n']])
    plant(hub, [['040000', name, hub.git('rev-parse', `${inner}^{tree}`)]])
    assert.type((await remote.follow()).fault, 'string')
    assert.is(remote.state().commit, before)
    assert.is(readFileSync(join(place.folder, '.git/config'), 'utf8'), config)
    assert.ok(existsSync(join(place.folder, FILE)))
    const repaired = hub.git('commit-tree', `${before}^{tree}`, '-p', 'main', '-m', 'Repaired')
    hub.git('update-ref', 'refs/heads/main', repaired)
    assert.is((await remote.follow()).value, repaired)
  })
}

test('submodules are not fetched, and their settings run nothing', async () => {
  const hub = hubWith()
  const proof = join(folderForClones().dir, 'proof')
  const modules = `[submodule "x"]\n\tpath = menus/x\n\turl = ext::sh -c touch% ${proof}\n\tupdate = !touch ${proof}\n`
  const inner = plant(hub, [
    ['160000', 'x', 'a'.repeat(40)],
    ['100644', 'main.yaml', menuText('main', 'Two')],
  ])
  plant(hub, [
    ['040000', 'menus', hub.git('rev-parse', `${inner}^{tree}`)],
    ['100644', '.gitmodules', modules],
  ])
  const site = await openOn(hub)
  assert.is(await labelsOf(site), 'Two')
  assert.not.ok(existsSync(proof))
})

test('attributes start no filter, and a pointer of LFS is a file that is no menu', async () => {
  const hub = hubWith()
  const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n'
  const inner = plant(hub, [
    ['100644', '.gitattributes', '*.yaml filter=x ident\n'],
    ['100644', 'large.yaml', pointer],
    ['100644', 'main.yaml', menuText('main', 'One')],
  ])
  const attributes = '*.yaml filter=lfs diff=lfs merge=lfs text eol=crlf working-tree-encoding=UTF-16\n'
  plant(hub, [
    ['100644', '.gitattributes', attributes],
    ['040000', 'menus', hub.git('rev-parse', `${inner}^{tree}`)],
  ])
  const site = await openOn(hub)
  assert.is(await labelsOf(site), 'One')
  const menus = join(site.folder.dir, '.menuscript-clone/menus')
  assert.is(readFileSync(join(menus, 'large.yaml'), 'utf8'), pointer)
  assert.is(readFileSync(join(menus, 'main.yaml'), 'utf8'), menuText('main', 'One'))
  assert.ok(site.events.some(({ fields }) => fields['path'] === 'large.yaml'))
})

test('files outside the menus folder are not checked out, however many there are', async () => {
  const hub = hubWith()
  const many = sized(5_000, 100_000)
  const blob = hub.git('rev-parse', `main:${FILE}`)
  const inner = spawnSync('git', ['mktree'], {
    cwd: hub.url,
    input: Array.from({ length: many }, (_, n) => `100644 blob ${blob}\tfile-${n}.yaml\n`).join(''),
    encoding: 'utf8',
  })
  const commit = plant(hub, [
    ['040000', 'menus', hub.git('rev-parse', 'main:menus')],
    ['040000', 'other', inner.stdout.trim()],
  ])
  const remote = await opened(placeIn(folderForClones(), { url: hub.url }))
  assert.is(remote.state().commit, commit)
  assert.equal(readdirSync(remote.repository.root).sort(), ['.git', 'menus'])
  const next = hub.git('commit-tree', 'main^{tree}', '-p', 'main', '-m', 'Next')
  hub.git('update-ref', 'refs/heads/main', next)
  assert.is((await remote.follow()).value, next)
})

test('names that differ only in case are served as the disk has them, and followed', async () => {
  const hub = hubWith({ [FILE]: menuText('main', 'One'), 'menus/MAIN.yaml': menuText('other', 'Other') })
  const site = await openOn(hub)
  assert.is(await labelsOf(site), 'One')
  hub.push({ [FILE]: menuText('main', 'Two') })
  await site.remote?.follow()
  assert.is(await labelsOf(site), 'Two')
})

test('an empty repository, and a branch that does not exist, fail with the name of the branch', async () => {
  const hub = hubWith()
  const empty = closing(createHub({}))
  empty.git('update-ref', '-d', 'refs/heads/main')
  const faults = [
    (await attempt(placeIn(folderForClones(), { url: empty.url }))).fault,
    (await attempt(placeIn(folderForClones(), { url: hub.url, branch: 'none' }))).fault,
  ]
  for (const [fault, branch] of [
    [faults[0], 'main'],
    [faults[1], 'none'],
  ] as const)
    assert.match(fault ?? '', `couldn't find remote ref refs/heads/${branch}`)
})

test('a branch that is deleted leaves its last state, and is followed again once it is back', async () => {
  const hub = hubWith()
  const site = await openOn(hub)
  const commit = hub.git('rev-parse', 'main')
  hub.git('update-ref', '-d', 'refs/heads/main')
  assert.match((await site.remote?.follow())?.fault ?? '', "couldn't find remote ref")
  assert.is(await labelsOf(site), 'One')
  hub.git('update-ref', 'refs/heads/main', commit)
  hub.push({ [FILE]: menuText('main', 'Two') })
  assert.is((await site.remote?.follow())?.fault, null)
  assert.is(await labelsOf(site), 'Two')
})

test('a menus folder that is not on the branch is reported, and served as soon as it is', async () => {
  const hub = hubWith({ 'README.md': 'no menus yet' })
  const site = await openOn(hub)
  assert.is(await labelsOf(site), '')
  const ready = (await site.ask('/readyz')).json() as { status: string; problems: { todo: string }[] }
  assert.is(ready.status, 'degraded')
  assert.match(ready.problems[0]?.todo ?? '', 'storage.git.path')
  hub.push(ONE)
  await site.remote?.follow()
  assert.is(await labelsOf(site), 'One')
})

for (const hasDashboard of [true, false])
  test(`a history with another root is followed, ${hasDashboard ? 'and reported' : 'without history too'}`, async () => {
    const hub = hubWith()
    const site = closing(
      await openSite(
        {},
        { config: { storage: { git: { remote: hub.url } }, dashboard: { enabled: hasDashboard } } },
      ),
    )
    hub.git('config', 'gc.auto', '0')
    gitIn(hub.work, 'checkout', '--quiet', '--orphan', 'anew')
    gitIn(hub.work, 'rm', '-r', '--force', '--quiet', '.')
    mkdirSync(join(hub.work, 'menus'), { recursive: true })
    writeFileSync(join(hub.work, FILE), menuText('main', 'Anew'))
    gitIn(hub.work, 'add', '--all')
    gitIn(hub.work, 'commit', '--quiet', '--message', 'Anew')
    gitIn(hub.work, 'push', '--quiet', '--force', 'origin', 'HEAD:main')
    assert.is((await site.remote?.follow())?.fault, null)
    assert.is(await labelsOf(site), 'Anew')
    const reports = site.events.filter(({ event }) => event === 'remote_rewritten')
    assert.is(reports.length, hasDashboard ? 1 : 0)
  })

test('a file larger than any menu is reported, and the others are served', async () => {
  const hub = hubWith({ ...ONE, 'menus/huge.yaml': `# ${'x'.repeat(20_000_000)}\n` })
  const site = await openOn(hub)
  assert.is(await labelsOf(site), 'One')
  assert.ok(site.events.some(({ fields }) => fields['path'] === 'huge.yaml'))
})

test('a clone that is due for a clean-up leaves no process of git behind', async () => {
  const hub = hubWith()
  const remote = await opened(placeIn(folderForClones(), { url: hub.url }))
  gitIn(remote.repository.root, 'config', 'gc.auto', '1')
  for (let turn = 0; turn < 3; turn++) {
    hub.push({ [FILE]: menuText('main', `Turn ${turn}`) })
    assert.is((await remote.follow()).fault, null)
    const { stdout } = spawnSync('ps', ['-ww', '-eo', 'args'], { encoding: 'utf8' })
    const left = stdout.split('\n').filter((line) => /\bgit\b.*\b(gc|maintenance|repack)\b/.test(line))
    // Other tests have other clones.
    assert.equal(
      left.filter((line) => line.includes(remote.repository.root)),
      [],
    )
    assert.not.ok(existsSync(join(remote.repository.root, '.git/gc.pid')))
  }
})

test.run()
