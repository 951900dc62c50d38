import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createMenusFolder } from '../support/menus-folder.js'
import { createRepository, type TestRepository } from '../support/repository.js'
import { yaml } from '../support/yaml.js'
import { menuscript, type Outcome } from './command.js'
import { STACK } from './project.js'

const menu = (label: string, more = ''): string => yaml`
  version: 1
  code: main
  name: Main
  items:
    - label: ${label}
      url: /page
      ${more}
`
/** Runs a test in a repository with one commit of these files, and with the command. */
async function inRepository(
  files: Readonly<Record<string, string>>,
  test: (
    repository: TestRepository & { readonly run: (...args: readonly string[]) => Promise<Outcome> },
  ) => Promise<void>,
): Promise<void> {
  const repository = createRepository(files)
  try {
    await test({ ...repository, run: (...args) => menuscript(args, { cwd: repository.dir }) })
  } finally {
    repository.close()
  }
}

/** The heads of the menus that a diff tells. */
const heads = (stdout: string): readonly string[] => stdout.match(/^[-+~→✗✓] .*$/gm) ?? []

test('diff alone compares HEAD with the work tree, files that git does not know included', async () => {
  await inRepository({ 'menus/main.yaml': menu('Blog') }, async ({ write, run }) => {
    assert.match(
      (await run('diff')).stdout,
      /^HEAD \([0-9a-f]{7}\) → the work tree\nmenus: nothing changed, 1 unchanged\n$/,
    )
    write('menus/main.yaml', menu('News'))
    write('menus/new.yaml', menu('a').replace('main', 'new'))
    const { code, stdout, stderr } = await run('diff')
    assert.equal([code, stderr], [0, ''])
    assert.equal(heads(stdout), [
      '~ main  Main  changed: 1 edited  menus/main.yaml',
      '+ new  Main  added with 1 item  menus/new.yaml',
    ])
    assert.match(stdout, 'label: Blog → News')
  })
})

test('diff BASE reports what a branch has on top of BASE, BASE..HEAD how the two differ, BASE...HEAD the branch again', async () => {
  await inRepository({ 'menus/main.yaml': menu('Blog') }, async ({ write, run, git, commit }) => {
    git('checkout', '--quiet', '-b', 'change')
    write('menus/mine.yaml', menu('m').replace('main', 'mine'))
    commit('mine')
    git('checkout', '--quiet', 'main')
    write('menus/theirs.yaml', menu('t').replace('main', 'theirs'))
    commit('theirs')
    git('checkout', '--quiet', 'change')
    const told = async (range: string) => heads((await run('diff', range)).stdout)
    const mine = '+ mine  Main  added with 1 item  menus/mine.yaml'
    assert.equal(await told('main'), [mine])
    assert.equal(await told('main...change'), [mine])
    assert.equal(await told('main..change'), [mine, '- theirs  Main  removed with 1 item  menus/theirs.yaml'])
    assert.equal(await told('main..HEAD'), [mine, '- theirs  Main  removed with 1 item  menus/theirs.yaml'])
    write('menus/main.yaml', menu('News'))
    assert.equal(await told('main'), ['~ main  Main  changed: 1 edited  menus/main.yaml', mine])
    assert.equal(await told('main...change'), [mine])
    git('checkout', '--quiet', '--detach')
    assert.match((await run('diff', 'main')).stdout, /^where HEAD left main \(/)
  })
})

test('The command works from a folder below, and reports files as seen from there', async () => {
  await inRepository(
    { 'menus/main.yaml': menu('Blog'), 'menuscript.config.yaml': 'locales: [en]\n' },
    async ({ dir, write }) => {
      write('menus/main.yaml', menu('News'))
      const { stdout } = await menuscript(['diff', '--config', '../menuscript.config.yaml'], {
        cwd: join(dir, 'menus'),
      })
      assert.equal(heads(stdout), ['~ main  Main  changed: 1 edited  main.yaml'])
    },
  )
})

test('--code keeps one menu, --locale and --permissions choose the trees', async () => {
  const files = {
    'menuscript.config.yaml': 'locales: [en, es]\n',
    'menus/main.yaml': menu('{ en: Blog, es: Bitácora }', 'permissions: [k]'),
    'menus/b.yaml': menu('b').replace('main', 'b'),
  }
  await inRepository(files, async ({ write, run }) => {
    write('menus/main.yaml', menu('{ en: Blog, es: Diario }', 'permissions: [k]'))
    write('menus/b.yaml', menu('c').replace('main', 'b'))
    assert.equal(heads((await run('diff', '--code', 'main')).stdout), [
      '~ main  Main  changed: 1 edited  menus/main.yaml',
    ])
    const { stdout } = await run('diff', '--code', 'main', '--locale', 'es-MX', '--permissions', 'k, l')
    assert.match(
      stdout,
      /tree in es for a viewer with k, l\n {4}~ Diario {2}\/page {2}\[k\] {2}\(was “Bitácora”\)\n/,
    )
    assert.not.match((await run('diff', '--code', 'main', '--permissions', '')).stdout, 'tree in')
    const unknown = await run('diff', '--locale', 'fr')
    assert.equal(
      [unknown.code, unknown.stderr],
      [2, 'error: --locale "fr" is not one of the locales (en, es)\n'],
    )
  })
})

test('--fail-on makes findings of changes, or only of what more viewers see', async () => {
  await inRepository({ 'menus/main.yaml': menu('a', 'permissions: [k]') }, async ({ write, run }) => {
    const codes = async () => {
      const outcomes = await Promise.all(['changes', 'widened'].map((what) => run('diff', '--fail-on', what)))
      return outcomes.map(({ code }) => code)
    }
    write('menus/main.yaml', menu('b', 'permissions: [k]'))
    assert.equal(await codes(), [1, 0])
    write('menus/main.yaml', menu('b'))
    assert.equal(await codes(), [1, 1])
    write('menus/main.yaml', menu('a', 'permissions: k'))
    assert.equal(await codes(), [1, 1], 'what cannot be compared may hide anything')
  })
})

test('--output writes a file and prints nothing; every format has its own', async () => {
  await inRepository({ 'menus/main.yaml': menu('a') }, async ({ dir, write, run }) => {
    write('menus/main.yaml', menu('b'))
    const { code, stdout, stderr } = await run('diff', '--format', 'html', '--output', 'page.html')
    assert.equal([code, stdout, stderr], [0, '', ''])
    const page = readFileSync(join(dir, 'page.html'), 'utf8')
    assert.match(page, /^<!doctype html>\n<html lang="en">/)
    assert.is((await run('diff', '--format', 'html')).stdout, page)
    await menuscript(['diff', '--output', 'text'], {
      cwd: dir,
      env: { NO_COLOR: undefined, FORCE_COLOR: '1' },
    })
    assert.not.match(readFileSync(join(dir, 'text'), 'utf8'), '\x1b')
    assert.match((await run('diff', '--format', 'markdown')).stdout, /^## Menus: 1 changed\n/)
    assert.is(JSON.parse((await run('diff', '--json')).stdout).version, 1)
    const refused = await run('diff', '--output', 'nowhere/page.html')
    assert.is(refused.code, 3)
    assert.match(refused.stderr, /^error: nowhere\/page\.html cannot be written: /)
  })
})

test('A file that is broken, huge or not text on one side is reported, and the others are compared', async () => {
  const files = {
    'menus/main.yaml': menu('a'),
    'menus/b.yaml': menu('b').replace('main', 'b'),
    'menus/c.yaml': menu('c').replace('main', 'c'),
    'menus/d.yaml': menu('d').replace('main', 'd'),
  }
  await inRepository(files, async ({ write, run }) => {
    write('menus/main.yaml', menu('a').replace('label', 'lable'))
    write('menus/b.yaml', new Uint8Array(2_000_000).fill(0x20))
    write('menus/c.yaml', Uint8Array.of(0, 1, 2, 0xff, 0xfe))
    write('menus/d.yaml', menu('e').replace('main', 'd'))
    const { code, stdout, stderr } = await run('diff')
    assert.equal([code, stderr], [0, ''])
    assert.equal(heads(stdout), [
      '✗ b  Main  broken  menus/b.yaml',
      '✗ c  Main  broken  menus/c.yaml',
      '~ d  Main  changed: 1 edited  menus/d.yaml',
      '✗ main  Main  broken  menus/main.yaml',
    ])
    assert.match(stdout, 'menus/b.yaml:1:1 error file-too-large')
    assert.match(stdout, 'menus/main.yaml:5:5 error unknown-key')
  })
})

test('A clean work tree has no difference, wherever symbolic links lead', async () => {
  await inRepository({ 'menus/main.yaml': menu('a') }, async ({ dir, run, git, commit }) => {
    symlinkSync('main.yaml', join(dir, 'menus/link.yaml'))
    symlinkSync('nowhere', join(dir, 'menus/dangling.yaml'))
    symlinkSync('.', join(dir, 'menus/round'))
    commit('links')
    assert.is(git('status', '--porcelain'), '')
    assert.match((await run('diff', '--fail-on', 'changes')).stdout, 'menus: nothing changed, 2 unchanged')
    // Of two files with one code the one whose path comes first is served.
    assert.equal(heads((await run('diff', 'HEAD~1')).stdout), [
      '→ main  Main  moved  menus/link.yaml',
      '✗ main  Main  broken  menus/main.yaml',
    ])
  })
})

test('A menus folder missing on one side is reported; missing on both, there is nothing to compare', async () => {
  await inRepository({ 'README.md': 'x' }, async ({ write, remove, run, commit }) => {
    const none = await run('diff')
    assert.is(none.code, 3)
    assert.match(
      none.stderr,
      /^error: there is no folder .*menus, neither in HEAD \(\w{7}\) nor in the work tree\. /,
    )
    write('menus/main.yaml', menu('a'))
    const added = await run('diff')
    assert.match(added.stderr, /^note: there is no folder .*menus in HEAD/)
    assert.equal([added.code, heads(added.stdout)], [0, ['+ main  Main  added with 1 item  menus/main.yaml']])
    commit('menus')
    remove('menus')
    const removed = await run('diff')
    assert.match(removed.stderr, /^note: there is no folder .*menus in the work tree\n$/)
    assert.equal(heads(removed.stdout), ['- main  Main  removed with 1 item  menus/main.yaml'])
  })
})

test('Without a repository, a commit, the revision or the history, the message explains what to do', async () => {
  const { dir, write, git, commit, close } = createRepository()
  write('menus/main.yaml', menu('a'))
  const run = async (cwd: string, ...args: string[]) => {
    const { code, stdout, stderr } = await menuscript(['diff', ...args], { cwd })
    assert.is(stdout, '')
    assert.not.match(stderr, STACK)
    return `${code} ${stderr}`
  }
  const outside = createMenusFolder({ 'menus/main.yaml': menu('a') })
  assert.match(
    await run(outside.dir),
    /^3 error: \S+menus is not in a git repository\. Run this in a clone of one/,
  )
  outside.close()
  assert.match(await run(dir), /^3 error: the repository has no commit yet\. Make the first commit/)
  commit('first')
  assert.match(await run(dir, 'nowhere'), /^2 error: there is no revision "nowhere"\. Check the name/)
  assert.match(await run(dir, 'main..nowhere'), /^2 error: there is no revision "nowhere"/)
  assert.match(await run(dir, '--', '--help'), /^2 error: there is no revision "--help"/)
  git('checkout', '--quiet', '--orphan', 'other')
  commit('other')
  assert.match(await run(dir, 'main'), /^2 error: the two revisions have no commit in common/)
  close()
})

test('In a shallow clone the message explains how to get the history', async () => {
  await inRepository({ 'menus/main.yaml': menu('a') }, async ({ dir, write, git, commit }) => {
    write('menus/main.yaml', menu('b'))
    commit('second')
    git('branch', 'old', 'HEAD~1')
    git('clone', '--quiet', '--depth=1', '--no-single-branch', `file://${dir}`, 'clone')
    const { code, stderr } = await menuscript(['diff', 'origin/old'], { cwd: join(dir, 'clone') })
    assert.is(code, 2)
    assert.match(stderr, /^error: the two revisions have no commit in common\. .*git fetch --unshallow/)
  })
})

/** Menus of which each has a warning, two of them between files. */
const WARNED = {
  'menus/main.yaml': menu('{ en: Blog }'),
  'menus/b.yaml': menu('{ en: B, es: B }').replace('name: Main', 'name: B\ncontext: { partner: 3 }'),
  'menus/c.yaml': menu('{ en: C, es: C }').replace('name: Main', 'name: C\ncontext: { partner: "3" }'),
}
const RULES = 'locales: [en, es]\nlint: { rules: '

test('A rule that is off makes no new problem, neither in a file nor between two', async () => {
  const off = `${RULES}{ missing-translation: off, near-duplicate-context: off } }\n`
  await inRepository({ 'menuscript.config.yaml': off, ...WARNED }, async ({ run, write }) => {
    assert.is((await run('diff', '--fail-on', 'changes')).code, 0)
    write('menus/main.yaml', menu('{ en: News }'))
    assert.equal((JSON.parse((await run('diff', '--json')).stdout) as { problems: unknown }).problems, [])
  })
})

test('New problems have the severities that the project gave, in every form, as lint reports them', async () => {
  const raised = `${RULES}{ missing-translation: error } }\n`
  await inRepository({ 'menuscript.config.yaml': raised }, async ({ run, write }) => {
    for (const [path, text] of Object.entries(WARNED)) write(path, text)
    const told = async (command: string) => {
      const { problems } = JSON.parse((await run(command, '--json')).stdout) as {
        problems: { path: string; code: string; severity: string }[]
      }
      return problems.map(({ path, code, severity }) => `${path} ${severity} ${code}`)
    }
    const lines = ['menus/c.yaml warning near-duplicate-context', 'menus/main.yaml error missing-translation']
    assert.equal([await told('diff'), await told('lint')], [lines, lines])
    const of = async (form: string) => (await run('diff', '--format', form)).stdout
    assert.match(await of('text'), 'menus/main.yaml:5:5 error missing-translation')
    assert.match(await of('markdown'), '- **error** missing-translation')
    assert.match(await of('html'), /error/)
  })
})

test.run()
