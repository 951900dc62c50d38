import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { treeOfCommit } from '../../../src/store/git/commit-tree.js'
import { loadState, type MenuState } from '../../../src/store/git/compare-trees.js'
import { toSeconds } from '../../../src/store/git/log.js'
import { filesAt, readBlobs } from '../../../src/store/git/objects.js'
import { createGit, GitError } from '../../../src/store/git/process.js'
import { type GitFault, must, openRepository, type Repository } from '../../../src/store/git/repository.js'
import { toCommit, toMergeBase } from '../../../src/store/git/revision.js'
import { NOTHING } from '../../../src/store/load.js'
import { DEFAULT_LIMITS } from '../../support/limits.js'
import { createRepository, inRepository, type TestRepository } from '../../support/repository.js'
import { menuText, readerOf, servedOf } from '../opening.js'

async function openOf({ dir }: TestRepository): Promise<Repository> {
  const { value } = await openRepository(dir)
  assert.ok(value !== null)
  return value as Repository
}

/** What is said of a revision that names no commit. */
async function faultOf(repository: TestRepository, revision: string): Promise<GitFault> {
  const { value, fault } = await toCommit(await openOf(repository), revision)
  assert.is(value, null, revision)
  return fault as GitFault
}

async function menusOf(
  repository: TestRepository,
  folder: string,
  { prefix = '', limit = 1000 }: { readonly prefix?: string; readonly limit?: number } = {},
): Promise<MenuState> {
  const opened = await openOf(repository)
  const { value } = await toCommit(opened, 'HEAD')
  const reading = readerOf({ bytes: limit })
  const reach = { filePrefix: prefix, closed: [] }
  const tree = await treeOfCommit(opened, value ?? '', folder, reach, reading.limits)
  return tree === null ? { snapshot: NOTHING.snapshot, documents: new Map() } : loadState(tree, reading)
}

test('A revision is a branch, a tag, an annotated one, a hash or a way from one of them', async () => {
  await inRepository({ 'a.yaml': 'a\n' }, async (repository) => {
    const first = repository.git('rev-parse', 'HEAD')
    const second = repository.commit('Second')
    repository.git('tag', '--annotate', '--message', 'x', 'v1', first)
    const opened = await openOf(repository)
    const named: Readonly<Record<string, string>> = {
      main: second,
      'main~1': first,
      v1: first,
      [first.slice(0, 9)]: first,
      'HEAD^{/First}': first,
      '@': second,
    }
    for (const [revision, commit] of Object.entries(named)) {
      assert.equal(await toCommit(opened, revision), { value: commit, fault: null }, revision)
    }
  })
})

test('E17: An empty revision, a range, several commits, a file or no commit at all is refused with a sentence', async () => {
  await inRepository({ 'a.yaml': 'a\n', 'b/c.yaml': 'c\n' }, async (repository) => {
    repository.commit('Second text')
    repository.git('checkout', '--quiet', '-b', 'topic')
    const kinds: Readonly<Record<string, readonly string[]>> = {
      'an empty revision names no commit': [''],
      '… is a range, not one commit': [
        '^HEAD',
        '^',
        'HEAD..',
        '..',
        'main..topic',
        'main...topic',
        'HEAD^@',
        'HEAD^!',
        'HEAD^-',
        'HEAD^-1',
      ],
      '… is a file or a folder, not one commit': [':a.yaml', 'HEAD:b', 'main:a.yaml', 'HEAD^{tree}'],
      'there is no revision …': [
        '--all',
        '--output=x',
        '-n',
        '-n1',
        '--',
        'a b',
        'a\nb',
        'x\0y',
        'refs/heads/*',
        '@{u}',
        ':/nothing',
        'HEAD~9',
      ],
    }
    for (const [said, revisions] of Object.entries(kinds)) {
      for (const revision of revisions) {
        const { what, todo } = await faultOf(repository, revision)
        assert.is(what, said.replace('…', JSON.stringify(revision)))
        assert.not.equal(todo, '')
      }
    }
    assert.is(repository.git('status', '--porcelain'), '')
    // What git reads as one commit is one.
    const opened = await openOf(repository)
    for (const revision of ['@{-1}', ':/text', '@{0}', 'topic@{now}', 'HEAD^{}', 'HEAD^0'])
      assert.is((await toCommit(opened, revision)).value, repository.git('rev-parse', 'HEAD'), revision)
  })
})

test('An unknown revision is reported with a suggested branch or tag', async () => {
  await inRepository({ 'a.yaml': 'a\n' }, async (repository) => {
    repository.git('branch', 'feature/menus')
    repository.git('tag', 'v1.0.0')
    repository.git('update-ref', 'refs/remotes/origin/spring', 'HEAD')
    assert.is((await faultOf(repository, 'feature/menu')).todo, 'Did you mean "feature/menus"?')
    assert.is((await faultOf(repository, 'spring')).todo, 'Did you mean "origin/spring"?')
    assert.is((await faultOf(repository, 'v1.0.1')).todo, 'Did you mean "v1.0.0"?')
    assert.match((await faultOf(repository, 'HEAD~7')).todo, /^Check the name/)
  })
})

test('What names a branch and a tag is refused, the beginning of several commits with each of them', async () => {
  await inRepository({ 'a.yaml': 'a\n' }, async (repository) => {
    repository.git('tag', 'main')
    assert.match((await faultOf(repository, 'main')).what, /^"main" names more than one thing/)
    const opened = await openOf(repository)
    const tree = repository.git('rev-parse', 'HEAD^{tree}')
    const commits = Array.from(
      { length: 600 },
      (_, n) => `commit refs/heads/x\nmark :${n + 1}\ncommitter a <a> ${n} +0000\ndata 0\n\n`,
    )
    await must(opened, ['fast-import', '--quiet'], commits.join(''))
    assert.is(repository.git('rev-parse', 'HEAD^{tree}'), tree)
    const names = repository
      .git('rev-list', 'refs/heads/x')
      .split('\n')
      .map((name) => name.slice(0, 4))
    const twice = names.find((name, place) => names.indexOf(name) !== place)
    assert.ok(twice !== undefined, 'no two of 600 commits begin alike')
    const { what, todo } = await faultOf(repository, twice ?? '')
    assert.is(what, `"${twice}" matches several commits`)
    assert.match(todo, /^Write more characters of it: \w+ of 1970-01-01.*; \w+ of 1970-01-01/)
  })
})

test('A branch named HEAD does not get in the way', async () => {
  await inRepository({ 'a.yaml': 'a\n' }, async (repository) => {
    repository.git('update-ref', 'refs/heads/HEAD', 'HEAD')
    assert.is((await toCommit(await openOf(repository), 'HEAD')).fault, null)
  })
})

test('A repository without a commit is reported, and so is a branch without one beside others', async () => {
  await inRepository({}, async (repository) => {
    assert.is((await faultOf(repository, 'HEAD')).what, 'the repository has no commit yet')
    repository.commit('First')
    repository.git('checkout', '--quiet', '--orphan', 'new')
    assert.is((await faultOf(repository, 'HEAD')).what, 'the branch that is checked out has no commit yet')
    assert.is((await toCommit(await openOf(repository), 'main')).fault, null)
  })
})

test('In a shallow clone, missing commits may have been left out', async () => {
  await inRepository({ 'a.yaml': 'a\n' }, async (repository) => {
    repository.commit('Second')
    const clone = createRepository()
    clone.git('clone', '--quiet', '--depth=1', `file://${repository.dir}`, 'clone')
    const shallow = { ...clone, dir: join(clone.dir, 'clone') }
    assert.ok((await openOf(shallow)).isShallow)
    assert.match((await faultOf(shallow, 'HEAD~1')).todo, /git fetch --unshallow/)
    clone.close()
  })
})

test('Two revisions have the common ancestor where they parted, or none', async () => {
  await inRepository({ 'a.yaml': 'a\n' }, async (repository) => {
    const first = repository.git('rev-parse', 'HEAD')
    repository.git('checkout', '--quiet', '-b', 'side')
    const side = repository.commit('Side')
    repository.git('checkout', '--quiet', 'main')
    const main = repository.commit('Main')
    repository.git('checkout', '--quiet', '--orphan', 'alone')
    const alone = repository.commit('Alone')
    const opened = await openOf(repository)
    assert.is((await toMergeBase(opened, main, side)).value, first)
    assert.is(
      (await toMergeBase(opened, main, alone)).fault?.what,
      'the two revisions have no commit in common',
    )
  })
})

test('The files of a folder are those of its own: not of one whose name begins so, and none where it is a file', async () => {
  const files = {
    'menus/ä b.yaml': 'a\n',
    'menus/x/[c].yaml': 'c\n',
    'menus-old/d.yaml': 'd\n',
    'e.yml': 'e\n',
  }
  await inRepository(files, async (repository) => {
    const opened = await openOf(repository)
    const pathsOf = async (folder: string): Promise<string[] | null> => {
      const reach = { filePrefix: '', closed: [] }
      const tree = await treeOfCommit(opened, 'HEAD', folder, reach, DEFAULT_LIMITS)
      return tree === null ? null : [...tree.entries.keys()].sort()
    }
    assert.equal(await pathsOf('menus'), ['x/[c].yaml', 'ä b.yaml'])
    assert.equal(await pathsOf('menus/x'), ['[c].yaml'])
    assert.is((await pathsOf(''))?.length, 4)
    for (const none of ['nowhere', 'e.yml', 'menu', 'menus/[cx]', ':/menus'])
      assert.is(await pathsOf(none), null, none)
  })
})

test('Contents come back byte by byte, each once, in repositories of both kinds of hashes', async () => {
  const contents = {
    a: Buffer.from([0, 10, 255, 13, 10]),
    b: Buffer.alloc(300_000, 'x\n'),
    c: Buffer.alloc(0),
  }
  for (const args of [[], ['--object-format=sha256']]) {
    await inRepository(
      contents,
      async (repository) => {
        const opened = await openOf(repository)
        const files = await filesAt(opened, 'HEAD', [''])
        const names = files.map(({ blob }) => blob)
        const blobs = await readBlobs(opened, [...names, ...names])
        assert.equal(
          files.map(({ blob, path }) => [
            path,
            Buffer.compare(Buffer.from(blobs.get(blob) ?? []), contents[path as 'a']),
          ]),
          [
            ['a', 0],
            ['b', 0],
            ['c', 0],
          ],
        )
        const { value } = await toCommit(opened, 'main')
        assert.is(value?.length, args.length === 0 ? 40 : 64)
      },
      args,
    )
  }
})

test('A content that the repository lacks, and a call that fails, are errors of git and no bugs', async () => {
  await inRepository({ 'a.yaml': 'a\n' }, async (repository) => {
    const opened = await openOf(repository)
    const thrown = await readBlobs(opened, ['0'.repeat(40)]).catch((error: unknown) => error)
    assert.ok(thrown instanceof GitError)
    assert.match(thrown.message, /lacks the object 0{40}/)
    const failed = await must(opened, ['ls-tree', 'nothing']).catch((error: unknown) => error)
    assert.is((failed as Error).message, 'git ls-tree failed: Not a valid object name nothing')
  })
})

test('Output over the limit is an answer', async () => {
  await inRepository({ 'a.yaml': 'a'.repeat(5000) }, async (repository) => {
    const git = createGit(repository.dir, {}, { maxBytes: 1000 })
    const { code, stderr } = await git(['cat-file', 'blob', 'HEAD:a.yaml'])
    assert.is(code, -1)
    assert.match(stderr, /^fatal: ERR_CHILD_PROCESS_STDIO_MAXBUFFER/)
  })
})

test('The menus of a commit are those that the service would read: by name, prefix, folder and size', async () => {
  const files = {
    'menus/shop-a.yaml': menuText('a'),
    'menus/x y/shop-b.YML': menuText('b').replaceAll('\n', '\r\n'),
    'menus/other.yaml': menuText('c'),
    'menus/.shop-d.yaml': menuText('d'),
    'menus/.x/shop-e.yaml': menuText('e'),
    'menus/shop-x.yaml/shop-f.yaml': menuText('f'),
    'menus/shop-large.yaml': menuText('g', 'x'.repeat(1000)),
    'menus/shop-broken.yaml': 'version: 1\n',
    'menus/shop.txt': '',
  }
  await inRepository(files, async (repository) => {
    const { snapshot, documents } = await menusOf(repository, 'menus', { prefix: 'shop-' })
    assert.equal([...snapshot.index.keys()].sort(), ['a', 'b'])
    assert.equal([...documents.keys()].sort(), ['shop-a.yaml', 'shop-broken.yaml', 'x y/shop-b.YML'])
    assert.is(documents.get('x y/shop-b.YML')?.text, files['menus/x y/shop-b.YML'])
    const codes = snapshot.problems.map(({ path, code }) => `${path} ${code}`)
    assert.ok(codes.includes('shop-large.yaml file-too-large'))
    assert.ok(codes.includes('shop-broken.yaml missing-key'))
  })
})

test('A menus folder may be the whole work tree, and may be missing in a commit', async () => {
  await inRepository({ 'main.yaml': menuText('main') }, async (repository) => {
    assert.is(servedOf((await menusOf(repository, '')).snapshot, 'main')?.name, 'main')
    const { snapshot } = await menusOf(repository, 'menus')
    assert.equal([snapshot.files, snapshot.problems], [[], []])
  })
})

test('A link to a file of the folder is read as the file; one that leads elsewhere is left out', async () => {
  await inRepository({ 'menus/.real/a.yaml': menuText('a'), 'b.yaml': menuText('b') }, async (repository) => {
    symlinkSync('.real/a.yaml', join(repository.dir, 'menus/a.yaml'))
    symlinkSync('../b.yaml', join(repository.dir, 'menus/b.yaml'))
    symlinkSync('loop.yaml', join(repository.dir, 'menus/loop.yaml'))
    symlinkSync('/etc/passwd', join(repository.dir, 'menus/c.yaml'))
    repository.commit('Links')
    const { snapshot, documents } = await menusOf(repository, 'menus')
    assert.equal([[...snapshot.index.keys()], [...documents.keys()]], [['a'], ['a.yaml']])
  })
})

test('A day means its beginning, at any time of day; git interprets other words', async () => {
  await inRepository({ 'a.yaml': menuText('a') }, async (repository) => {
    const opened = await openOf(repository)
    const midnight = new Date(2026, 2, 2).getTime() / 1_000
    for (const day of ['2026-03-02', '2026/3/2', '2026.03.02', '2026-03-02 00:00']) {
      assert.equal(await toSeconds(opened, day), { value: midnight, fault: null }, day)
    }
    assert.is((await toSeconds(opened, '2026-03-02T15:00')).value, midnight + 15 * 3_600)
    assert.match(
      (await toSeconds(opened, 'no time')).fault?.what ?? '',
      '"no time" is not a time in the past',
    )
  })
})

test.run()
