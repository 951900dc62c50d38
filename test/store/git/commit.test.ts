import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createMenusFolder } from '../../support/menus-folder.js'
import { createRepository, inRepository, type TestRepository } from '../../support/repository.js'
import { idOf, opened, pathsOf, publish, reasonOf, statusOf } from './committing.js'

const FILES = { 'menus/a.yaml': 'a: 1\n', 'menus/b.yaml': 'b: 1\n', 'c.txt': 'c\n' }

/** The commit changes just these paths, and leaves nothing of them to commit. */
function justThese(repository: TestRepository, commit: string, paths: readonly string[]): void {
  assert.equal(pathsOf(repository, commit), paths)
  assert.is(repository.git('rev-parse', 'HEAD'), commit)
  const states = statusOf(repository).filter((state) => paths.includes(state.slice(3)))
  assert.equal(states, [])
  repository.git('fsck', '--strict', '--no-dangling')
}

test('A commit has its author, its message and its one file, and says on which branch it is', async () => {
  await inRepository(FILES, async (repository) => {
    const message = 'Menu a: 2 changes\n\n- renames Näh to Ñu'
    const outcome = await publish(repository, { 'menus/a.yaml': 'a: 2\n' }, { message })
    const id = idOf(outcome)
    assert.equal(outcome, { kind: 'committed', commit: id, branch: 'main', left: [] })
    justThese(repository, id, ['menus/a.yaml'])
    const person = 'Eva Díaz <eva@example.org>'
    const format = '--format=%an <%ae>|%cn <%ce>|%B|%e'
    assert.is(repository.git('log', '-1', format), `${person}|${person}|${message}\n|`)
    assert.is(repository.git('show', 'HEAD:menus/a.yaml'), 'a: 2')
    assert.is(repository.git('reflog', '-1', '--format=%gs'), 'commit: Menu a: 2 changes')
    assert.equal(statusOf(repository), [])
  })
})

test('Without an author, a commit is by whom git names, and by nobody in particular where it names nobody', async () => {
  await inRepository(FILES, async (repository) => {
    const authorOf = async (text: string): Promise<string> => {
      idOf(await publish(repository, { 'menus/a.yaml': text }, { author: null }))
      return repository.git('log', '-1', '--format=%an <%ae>')
    }
    assert.is(await authorOf('a: 2\n'), 'Committer <committer@example.org>')
    repository.git('config', '--remove-section', 'user')
    assert.is(await authorOf('a: 3\n'), 'local <local@menuscript.invalid>')
  })
})

test('Files are added, changed and deleted in one commit', async () => {
  await inRepository(FILES, async (repository) => {
    const texts = { 'menus/new/d.yaml': 'd\n', 'menus/a.yaml': 'a: 2\n', 'menus/b.yaml': null }
    justThese(repository, idOf(await publish(repository, texts)), [
      'menus/a.yaml',
      'menus/b.yaml',
      'menus/new/d.yaml',
    ])
    assert.equal(statusOf(repository), [])
  })
})

test('What is committed already is no commit', async () => {
  await inRepository(FILES, async (repository) => {
    const head = repository.git('rev-parse', 'HEAD')
    assert.equal(await publish(repository, { 'menus/a.yaml': 'a: 1\n', gone: null }), { kind: 'unchanged' })
    assert.equal(await publish(repository, {}), { kind: 'unchanged' })
    assert.is(repository.git('rev-parse', 'HEAD'), head)
  })
})

test('What is committed already, but staged in another version, is staged as it is committed', async () => {
  await inRepository(FILES, async (repository) => {
    const { git, write } = repository
    for (const path of ['menus/a.yaml', 'menus/new.yaml']) {
      write(path, 'staged\n')
      git('add', path)
    }
    git('rm', '--quiet', '--cached', 'menus/b.yaml')
    const texts = { 'menus/a.yaml': 'a: 1\n', 'menus/b.yaml': 'b: 1\n', 'menus/new.yaml': null }
    assert.equal(await publish(repository, texts), { kind: 'unchanged' })
    assert.equal(statusOf(repository), [])
  })
})

test('All else that is staged, changed, untracked or in conflict stays as it is', async () => {
  await inRepository({ ...FILES, 'd.txt': 'd\n', 'e.txt': 'e\n', 'f.txt': 'f\n' }, async (repository) => {
    const { git, write, remove, commit } = repository
    // A stash that conflicts leaves a conflict, and nothing in progress.
    write('f.txt', 'stashed\n')
    git('stash', '--quiet')
    commit('Other', { 'f.txt': 'other\n' })
    assert.throws(() => git('stash', 'pop', '--quiet'))
    write('c.txt', 'staged\n')
    git('add', 'c.txt')
    write('c.txt', 'staged, then changed\n')
    git('mv', 'e.txt', 'moved.txt')
    remove('d.txt')
    write('new.txt', 'untracked\n')
    write('later.txt', 'later\n')
    git('add', '--intent-to-add', 'later.txt')
    git('add', 'menus/b.yaml')
    const before = statusOf(repository)
    const staged = git('ls-files', '--stage')
    const id = idOf(await publish(repository, { 'menus/a.yaml': 'a: 2\n' }))
    justThese(repository, id, ['menus/a.yaml'])
    assert.equal(statusOf(repository), before)
    const others = (listed: string): string[] => listed.split('\n').filter((line) => !line.endsWith('a.yaml'))
    assert.equal(others(git('ls-files', '--stage')), others(staged))
    assert.is(git('diff', '--cached', '--name-only', '--diff-filter=U'), 'f.txt')
  })
})

test('A version of the file that was staged, meant to be added or in conflict gives way', async () => {
  await inRepository({ ...FILES, 'menus/f.yaml': 'f\n' }, async (repository) => {
    const { git, write, commit } = repository
    write('menus/a.yaml', 'a: staged\n')
    git('add', 'menus/a.yaml')
    write('menus/new.yaml', 'new\n')
    git('add', '--intent-to-add', 'menus/new.yaml')
    const texts = { 'menus/a.yaml': 'a: 2\n', 'menus/new.yaml': 'new: 2\n' }
    justThese(repository, idOf(await publish(repository, texts)), ['menus/a.yaml', 'menus/new.yaml'])
    assert.equal(statusOf(repository), [])
    write('menus/f.yaml', 'stashed\n')
    git('stash', '--quiet')
    commit('Other', { 'menus/f.yaml': 'other\n' })
    assert.throws(() => git('stash', 'pop', '--quiet'))
    justThese(repository, idOf(await publish(repository, { 'menus/f.yaml': 'solved\n' })), ['menus/f.yaml'])
    assert.equal(statusOf(repository), [])
  })
})

test('A deleted file stays deleted, also one of which another version was staged', async () => {
  await inRepository(FILES, async (repository) => {
    repository.write('menus/a.yaml', 'a: staged\n')
    repository.git('add', 'menus/a.yaml')
    justThese(repository, idOf(await publish(repository, { 'menus/a.yaml': null })), ['menus/a.yaml'])
    assert.equal(statusOf(repository), [])
  })
})

test('An executable file stays one, and a new one is committed as it lies there', async () => {
  await inRepository(FILES, async (repository) => {
    const { dir, git, write } = repository
    git('update-index', '--chmod=+x', 'menus/a.yaml')
    chmodSync(join(dir, 'menus/a.yaml'), 0o755)
    git('commit', '--quiet', '--message', 'Mode')
    write('menus/new.yaml', '')
    chmodSync(join(dir, 'menus/new.yaml'), 0o755)
    idOf(await publish(repository, { 'menus/a.yaml': 'a: 2\n', 'menus/new.yaml': 'n\n' }))
    assert.equal(statusOf(repository), [])
    assert.match(git('ls-tree', 'HEAD', 'menus/'), /^100755 .*a\.yaml\n100644 .*b\.yaml\n100755 .*new\.yaml$/)
  })
})

test('The first commit of a branch is made, beside files that were staged for it', async () => {
  const repository = createRepository({})
  repository.write('c.txt', 'c\n')
  repository.git('add', 'c.txt')
  const outcome = await publish(repository, { 'menus/a.yaml': 'a\n', 'menus/gone.yaml': null })
  const id = idOf(outcome)
  assert.equal(
    [repository.git('rev-list', '--count', 'HEAD'), pathsOf(repository, id)],
    ['1', ['menus/a.yaml']],
  )
  assert.equal(statusOf(repository), ['A  c.txt'])
  repository.close()
})

test('Without a branch the commit moves HEAD, and the outcome says so', async () => {
  await inRepository(FILES, async (repository) => {
    const main = repository.git('rev-parse', 'main')
    repository.git('checkout', '--quiet', '--detach')
    const outcome = await publish(repository, { 'menus/a.yaml': 'a: 2\n' })
    const id = idOf(outcome)
    assert.equal(outcome, { kind: 'committed', commit: id, branch: null, left: [] })
    justThese(repository, id, ['menus/a.yaml'])
    assert.is(repository.git('rev-parse', 'main'), main)
  })
})

test('A linked work tree commits on its own branch', async () => {
  await inRepository(FILES, async (repository) => {
    const main = repository.git('rev-parse', 'main')
    const dir = join(repository.dir, 'linked tree')
    repository.git('worktree', 'add', '--quiet', '-b', 'team/other', dir)
    const write = (path: string, text: string | Uint8Array): void => writeFileSync(join(dir, path), text)
    const outcome = await publish({ ...repository, dir, write }, { 'menus/a.yaml': 'a: 2\n' })
    assert.equal(
      { ...outcome, commit: '' },
      { kind: 'committed', commit: '', branch: 'team/other', left: [] },
    )
    assert.is(repository.git('-C', dir, 'status', '--porcelain'), '')
    assert.is(repository.git('rev-parse', 'main'), main)
  })
})

test('A submodule is a repository of its own, and a path through it is refused', async () => {
  await inRepository(FILES, async (repository) => {
    const inner = createRepository({ 'menus/b.yaml': 'b\n' })
    repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.dir, 'sub')
    repository.commit('Submodule')
    const dir = join(repository.dir, 'sub')
    repository.write('sub/menus/b.yaml', 'b: 2\n')
    const through = await publish(repository, { 'sub/menus/b.yaml': 'b: 2\n' })
    assert.match(reasonOf(through, 'uncommitted'), /is in submodule/)
    const write = (path: string, text: string | Uint8Array): void => writeFileSync(join(dir, path), text)
    idOf(await publish({ ...repository, dir, write }, { 'menus/b.yaml': 'b: 2\n' }))
    assert.equal(statusOf(repository), [' M sub'])
    assert.is(repository.git('-C', dir, 'status', '--porcelain'), '')
    inner.close()
  })
})

test('A path that leads through a link, out of the work tree or into .git is refused, and so is a link', async () => {
  await inRepository({ ...FILES, 'real/x.yaml': 'x\n' }, async (repository) => {
    symlinkSync('real', join(repository.dir, 'link'))
    symlinkSync('../c.txt', join(repository.dir, 'menus/l.yaml'))
    repository.commit('Links')
    const head = repository.git('rev-parse', 'HEAD')
    const odd = ['link/x.yaml', 'menus/l.yaml', '../out.yaml', '/abs.yaml', 'menus//a.yaml', 'menus/../a', '']
    for (const path of [
      ...odd,
      'a\0b',
      'lone\ud800.yaml',
      '.git/hooks/x',
      'menus/.GIT/config',
      'c.txt/a.yaml',
    ]) {
      // Nothing could be written there.
      const isOurs = () => path !== 'c.txt/a.yaml'
      const outcome = await publish(repository, {}, { paths: [path], isOurs })
      reasonOf(outcome, 'uncommitted')
    }
    assert.equal([repository.git('rev-parse', 'HEAD'), statusOf(repository)], [head, []])
    idOf(await publish(repository, { 'real/x.yaml': 'x: 2\n' }))
    // A link that has become a file on the disk.
    rmSync(join(repository.dir, 'menus/l.yaml'))
    const file = await publish(repository, { 'menus/l.yaml': 'l\n' })
    assert.match(reasonOf(file, 'uncommitted'), /"menus\/l\.yaml" is a link in the last commit/)
  })
})

test('A file in place of a folder, or the other way round, is not committed: it would replace others', async () => {
  await inRepository({ ...FILES, 'x.yaml/deep.yaml': 'x\n' }, async (repository) => {
    repository.remove('x.yaml')
    const outcome = await publish(repository, { 'x.yaml': 'x\n' })
    assert.is(reasonOf(outcome, 'uncommitted'), "'x.yaml' appears as both a file and as a directory")
    assert.equal(statusOf(repository), [' D x.yaml/deep.yaml', '?? x.yaml'])
    repository.git('rm', '--quiet', '--cached', 'x.yaml/deep.yaml')
    const staged = await publish(repository, { 'x.yaml': 'x\n' })
    assert.is(reasonOf(staged, 'uncommitted'), '"x.yaml/deep.yaml" is in the way')
  })
})

test('A menus folder that is a link is committed under its real name', async () => {
  await inRepository(FILES, async (repository) => {
    const outside = createMenusFolder()
    symlinkSync(join(repository.dir, 'menus'), join(outside.dir, 'menus'))
    const { root } = await opened(join(outside.dir, 'menus'))
    assert.is(root, repository.dir)
    idOf(await publish({ ...repository, dir: root }, { 'menus/a.yaml': 'a: 2\n' }))
    assert.equal(statusOf(repository), [])
    outside.close()
  })
})

test('A sparse checkout stays one, also for a file beyond it', async () => {
  for (const kind of ['--no-sparse-index', '--sparse-index']) {
    await inRepository({ ...FILES, 'other/x/y.yaml': 'y\n', 'far/z.yaml': 'z\n' }, async (repository) => {
      repository.git('sparse-checkout', 'set', '--cone', kind, 'menus')
      justThese(repository, idOf(await publish(repository, { 'menus/a.yaml': 'a: 2\n' })), ['menus/a.yaml'])
      justThese(repository, idOf(await publish(repository, { 'other/x/y.yaml': 'y: 2\n' })), [
        'other/x/y.yaml',
      ])
      assert.equal(statusOf(repository), [])
      assert.match(repository.git('ls-files', '-t'), /^S far\/z\.yaml$/m)
    })
  }
})

test('A shallow clone, a partial one, and one with SHA-256 are committed to', async () => {
  await inRepository(FILES, async (origin) => {
    origin.commit('Second', { 'menus/b.yaml': 'b: 2\n' })
    origin.git('config', 'uploadpack.allowFilter', 'true')
    for (const args of [['--depth=1'], ['--filter=blob:none', '--sparse']]) {
      const folder = createMenusFolder()
      origin.git('clone', '--quiet', ...args, `file://${origin.dir}`, join(folder.dir, 'clone'))
      const dir = join(folder.dir, 'clone')
      mkdirSync(join(dir, 'menus'), { recursive: true })
      const write = (path: string, text: string | Uint8Array): void => writeFileSync(join(dir, path), text)
      const git: TestRepository['git'] = (...words) => origin.git('-C', dir, ...words)
      const clone = { ...origin, dir, write, git }
      justThese(clone, idOf(await publish(clone, { 'menus/a.yaml': 'a: 2\n' })), ['menus/a.yaml'])
      folder.close()
    }
  })
  await inRepository(
    FILES,
    async (repository) => {
      const id = idOf(await publish(repository, { 'menus/a.yaml': 'a: 2\n', 'menus/b.yaml': null }))
      assert.is(id.length, 64)
      justThese(repository, id, ['menus/a.yaml', 'menus/b.yaml'])
    },
    ['--object-format=sha256'],
  )
})

test('B10: An index.lock that goes within two seconds is waited for; one that stays gives "busy", and nothing changed', async () => {
  await inRepository(FILES, async (repository) => {
    const { dir, git, write, remove } = repository
    write('.git/index.lock', '')
    const head = git('rev-parse', 'HEAD')
    const outcome = await publish(repository, { 'menus/a.yaml': 'a: 2\n' })
    assert.is(reasonOf(outcome, 'busy'), 'another git process holds index.lock')
    assert.equal([git('rev-parse', 'HEAD'), git('diff', '--cached', '--name-only')], [head, ''])
    const waiting = publish({ dir, write, remove }, { 'menus/a.yaml': 'a: 2\n' })
    await sleep(500)
    rmSync(join(dir, '.git/index.lock'))
    justThese(repository, idOf(await waiting), ['menus/a.yaml'])
  })
})

test('What began while index.lock was waited for is not committed into', async () => {
  await inRepository(FILES, async (repository) => {
    const { dir, git, write } = repository
    write('.git/index.lock', '')
    const waiting = publish(repository, { 'menus/a.yaml': 'a: 2\n' })
    await sleep(500)
    write('.git/MERGE_HEAD', `${git('rev-parse', 'HEAD')}\n`)
    rmSync(join(dir, '.git/index.lock'))
    assert.is(reasonOf(await waiting, 'busy'), 'a merge is in progress')
    assert.is(git('diff', '--cached', '--name-only'), '')
  })
})

const OPERATIONS: readonly (readonly [args: readonly string[], reason: string])[] = [
  [['merge', 'topic'], 'a merge is in progress'],
  [['rebase', 'topic'], 'a rebase is in progress'],
  [['rebase', '--apply', 'topic'], 'a rebase or `git am` is in progress'],
  [['cherry-pick', 'topic'], 'a cherry-pick is in progress'],
  [['revert', 'main~1'], 'a revert is in progress'],
  [['bisect', 'start'], 'a bisection is in progress'],
]

test('Nothing is committed into the middle of a merge, a rebase, a cherry-pick, a revert or a bisection', async () => {
  await inRepository(FILES, async (repository) => {
    const { git, commit } = repository
    git('checkout', '--quiet', '-b', 'topic')
    commit('Topic', { 'c.txt': 'topic\n' })
    git('checkout', '--quiet', 'main')
    commit('Main', { 'c.txt': 'main\n' })
    commit('Later', { 'c.txt': 'later\n' })
    for (const [args, reason] of OPERATIONS) {
      if (args[0] === 'bisect') git(...args)
      else assert.throws(() => git(...args), undefined, args[0])
      const [head, staged] = [git('rev-parse', 'HEAD'), git('ls-files', '--stage')]
      const outcome = await publish(repository, { 'menus/a.yaml': 'a: 2\n' })
      assert.is(reasonOf(outcome, 'busy'), reason)
      assert.equal([git('rev-parse', 'HEAD'), git('ls-files', '--stage')], [head, staged], reason)
      git('checkout', '--quiet', 'HEAD', 'menus/a.yaml')
      git(args[0] ?? '', args[0] === 'bisect' ? 'reset' : '--abort')
      justThese(repository, idOf(await publish(repository, { 'menus/a.yaml': `${reason}\n` })), [
        'menus/a.yaml',
      ])
      git('reset', '--quiet', '--hard', 'HEAD~1')
    }
  })
})

test('Ignored files are left out, and the outcome says so; a tracked one is not ignored', async () => {
  await inRepository({ ...FILES, '.gitignore': 'menus/l*.yaml\n' }, async (repository) => {
    const reason = '"menus/local.yaml" is ignored by git'
    const alone = await publish(repository, { 'menus/local.yaml': 'l\n' })
    assert.is(reasonOf(alone, 'uncommitted'), reason)
    const some = await publish(repository, { 'menus/local.yaml': 'l\n', 'menus/a.yaml': 'a: 2\n' })
    assert.equal(some.kind === 'committed' && some.left, [{ path: 'menus/local.yaml', reason }])
    justThese(repository, idOf(some), ['menus/a.yaml'])
    const same = await publish(repository, { 'menus/local.yaml': 'l\n', 'menus/a.yaml': 'a: 2\n' })
    assert.is(reasonOf(same, 'uncommitted'), reason)
    repository.git('add', '--force', 'menus/local.yaml')
    justThese(repository, idOf(await publish(repository, { 'menus/local.yaml': 'l: 2\n' })), [
      'menus/local.yaml',
    ])
    justThese(repository, idOf(await publish(repository, { 'menus/local.yaml': 'l: 3\n' })), [
      'menus/local.yaml',
    ])
  })
})

test('Names may be options, patterns, magic words, have any characters, and stand beside names that are not UTF-8', async () => {
  const names = [
    '-V.yaml',
    ':(top)a.yaml',
    '*.yaml',
    'menus/[a].yaml',
    'two\nlines.yaml',
    'tab\t"q".yaml',
    ' .yaml',
    'ñ😀.yaml',
    '!x.yaml',
    '#y.yaml',
  ]
  await inRepository(
    { ...FILES, ...Object.fromEntries(names.map((name) => [name, '1\n'])) },
    async (repository) => {
      const odd = Buffer.concat([Buffer.from(`${repository.dir}/`), Buffer.from([0xff, 0xfe, 0x2e])])
      writeFileSync(odd, 'odd\n')
      repository.commit('Odd')
      for (const name of names) {
        justThese(repository, idOf(await publish(repository, { [name]: '2\n' })), [name])
        justThese(
          repository,
          idOf(await publish(repository, { [name]: null, [`n/${name}`]: '3\n' })),
          [name, `n/${name}`].sort(),
        )
      }
      assert.equal(statusOf(repository), [])
    },
  )
})

test('An author without an address, with an odd name or with none still makes a commit', async () => {
  await inRepository(FILES, async (repository) => {
    const cases: readonly (readonly [name: string, email: string | null, person: string])[] = [
      ['eva', null, 'eva <eva@menuscript.invalid>'],
      ['Eva Díaz', null, 'Eva Díaz <Eva-Diaz@menuscript.invalid>'],
      ['Eva <x@y>\nauthor Mallory', 'a\n<b>@c', 'Eva x@y author Mallory <a b @c>'],
      ['', '', 'unknown <unknown@menuscript.invalid>'],
      ['...', '<>', 'unknown <unknown@menuscript.invalid>'],
      ['嘉', null, '嘉 <unknown@menuscript.invalid>'],
      ['nul\0', null, 'nul <nul@menuscript.invalid>'],
    ]
    for (const key of ['user.name', 'user.email']) repository.git('config', '--unset', key)
    repository.git('config', 'user.useConfigOnly', 'true')
    for (const [place, [name, email, person]] of cases.entries()) {
      const author = { name, email }
      idOf(await publish(repository, { 'menus/a.yaml': `a: ${place}0\n` }, { author, message: '\0x\0\n' }))
      assert.is(repository.git('log', '-1', '--format=%an <%ae>%n%s'), `${person}\nx`)
      assert.is(repository.git('reflog', '-1', '--format=%gn <%ge>'), person)
    }
    const author = { name: 'n'.repeat(1_000_000), email: null }
    idOf(await publish(repository, { 'menus/a.yaml': 'last\n' }, { author, message: 'm'.repeat(1_000_000) }))
  })
})

test('A repository that cannot be written, or is damaged, leaves the file uncommitted, with the reason of git', async () => {
  await inRepository(FILES, async (repository) => {
    const { dir, git, write, remove } = repository
    const head = git('rev-parse', 'HEAD')
    renameSync(join(dir, '.git/objects'), join(dir, '.git/kept'))
    mkdirSync(join(dir, '.git/objects/info'), { recursive: true })
    writeFileSync(join(dir, '.git/objects/info/alternates'), join(dir, '.git/kept'))
    // Folders of objects that are files: root may write into any folder.
    for (let place = 0; place < 256; place++)
      writeFileSync(join(dir, '.git/objects', place.toString(16).padStart(2, '0')), '')
    const outcome = await publish(repository, { 'menus/a.yaml': 'a: 2\n' })
    assert.match(reasonOf(outcome, 'uncommitted'), /^unable to create temporary file/)
    remove('.git/objects')
    renameSync(join(dir, '.git/kept'), join(dir, '.git/objects'))
    assert.equal([git('rev-parse', 'HEAD'), statusOf(repository)], [head, [' M menus/a.yaml']])
    write('.git/refs/heads/main.lock', '')
    assert.match(reasonOf(await publish(repository, { 'menus/a.yaml': 'a: 2\n' }), 'busy'), /main\.lock/)
    assert.is(git('rev-parse', 'HEAD'), head)
    remove('.git/refs/heads/main.lock')
    write('.git/index', 'no index')
    reasonOf(await publish(repository, { 'menus/a.yaml': 'a: 2\n' }), 'uncommitted')
    remove('.git/index')
    write('.git/HEAD', 'no ref\n')
    const { kind } = await publish(repository, {}).catch(() => ({ kind: 'not opened' }))
    assert.is(kind, 'not opened')
  })
})

test('B8: a text that others have changed since it was written is not committed on top of theirs', async () => {
  await inRepository(FILES, async (repository) => {
    const { git, write, dir } = repository
    let isOurs = true
    // What a pull does after the first try has looked at the file: it commits, and moves HEAD.
    const overtake = (path: string): boolean => {
      if (path !== 'menus/a.yaml' || !isOurs) return isOurs
      isOurs = false
      write('menus/a.yaml', 'a: theirs\n')
      git('commit', '-q', '-a', '-m', 'Theirs')
      return true
    }
    write('menus/a.yaml', 'a: ours\n')
    const request = { paths: ['menus/a.yaml'], isOurs: overtake, author: null, message: 'm' }
    const { commitFiles } = await import('../../../src/store/git/commit.js')
    reasonOf(await commitFiles(await opened(dir), request), 'uncommitted')
    assert.is(git('show', 'HEAD:menus/a.yaml').trim(), 'a: theirs')
    assert.equal(statusOf(repository), [])
  })
})

test('A repository that is gone by now, or has lost its HEAD, gives an outcome, not an error', async () => {
  await inRepository(FILES, async ({ dir, write, remove }) => {
    const request = {
      paths: ['menus/a.yaml'],
      isOurs: () => true,
      author: { name: 'e', email: null },
      message: 'm',
    }
    const repository = await opened(dir)
    const { commitFiles } = await import('../../../src/store/git/commit.js')
    write('.git/HEAD', 'ref: refs/heads/../../config\n')
    reasonOf(await commitFiles(repository, request), 'uncommitted')
    remove('.git')
    reasonOf(await commitFiles(repository, request), 'uncommitted')
    remove('.')
    reasonOf(await commitFiles(repository, request), 'uncommitted')
  })
})

test.run()
