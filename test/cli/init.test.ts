import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { inRepository, type TestRepository } from '../support/repository.js'
import { menuscript, onTerminal, PROGRAM } from './command.js'
import { inProject } from './project.js'

const INSTALLED = JSON.stringify({ devDependencies: { menuscript: '*', express: '*' } })

interface Listed {
  readonly menus: string
  readonly site: string
  readonly written: readonly string[]
  readonly kept: readonly string[]
}

async function initIn(cwd: string, ...flags: readonly string[]): Promise<Listed> {
  const { code, stdout, stderr } = await menuscript(['init', '--json', ...flags], { cwd })
  assert.is(code, 0, stderr)
  return JSON.parse(stdout) as Listed
}

/** Makes the command available to hooks, as npm does. */
function install({ dir, write }: TestRepository): void {
  write('.gitignore', 'node_modules\n')
  write('node_modules/.bin/menuscript', `#!/bin/sh\nexec node '${PROGRAM[0]}' "$@"\n`)
  chmodSync(join(dir, 'node_modules/.bin/menuscript'), 0o755)
}

const empty = (test: (repository: TestRepository) => Promise<void>) =>
  inRepository({ 'package.json': INSTALLED }, async (repository) => {
    // A machine may have turned hooks off for all repositories.
    repository.git('config', 'core.hooksPath', '.git/hooks')
    await test(repository)
  })

test('init makes a project that lint accepts, with a job and a hook, and a second run changes nothing', () =>
  empty(async ({ dir }) => {
    const written = [
      'menus/main.yaml',
      'menus/menu.schema.json',
      '.github/workflows/menus.yml',
      '.git/hooks/pre-commit',
    ]
    assert.equal(await initIn(dir), { version: 1, menus: 'menus', site: 'express', written, kept: [] })
    assert.match(
      readFileSync(join(dir, 'menus/main.yaml'), 'utf8'),
      /^# yaml-language-server: \$schema=\.\/menu/,
    )
    const linted = await menuscript(['lint', '--max-warnings', '0'], { cwd: dir })
    assert.is(linted.code, 0, linted.stdout)
    const before = written.map((path) => readFileSync(join(dir, path), 'utf8'))
    const again = await initIn(dir)
    assert.equal([again.written, again.kept], [[], written.filter((path) => !path.endsWith('.json'))])
    assert.equal(
      written.map((path) => readFileSync(join(dir, path), 'utf8')),
      before,
    )
  }))

test('The hook lets a good menu through, and stops what is staged and broken, whatever lies on disk', () =>
  empty(async (repository) => {
    const { dir, git, write } = repository
    install(repository)
    await initIn(dir)
    assert.ok(statSync(join(dir, '.git/hooks/pre-commit')).mode & 0o100)
    git('add', '--all')
    git('commit', '--quiet', '--message', 'Menus')
    const good = readFileSync(join(dir, 'menus/main.yaml'), 'utf8')
    write('menus/main.yaml', good.replace('label', 'lable'))
    git('add', '--all')
    write('menus/main.yaml', good)
    assert.throws(() => git('commit', '--quiet', '--message', 'Broken'), /pre-commit|git commit/)
    assert.is(git('log', '--format=%s', '-1'), 'Menus')
  }))

test('In a folder of a repository, with menus elsewhere, the configuration, the job and the hook name both', () =>
  empty(async (repository) => {
    const { dir, git, write } = repository
    write('sites/my shop/package.json', INSTALLED)
    const cwd = join(dir, 'sites/my shop')
    const { menus, written } = await initIn(cwd, '--menus', 'content/navigation', '--site', 'eleventy')
    assert.is(menus, 'content/navigation')
    assert.equal(written.slice(0, 2), ['menuscript.config.yaml', 'content/navigation/main.yaml'])
    assert.equal(written.slice(-2), ['../../.github/workflows/menus.yml', '../../.git/hooks/pre-commit'])
    const { folder } = JSON.parse((await menuscript(['list', '--json'], { cwd })).stdout) as {
      folder: string
    }
    assert.is(folder, undefined)
    const listed = JSON.parse((await menuscript(['list', '--json'], { cwd })).stdout) as {
      menusFolder: string
    }
    assert.is(listed.menusFolder, join(cwd, 'content/navigation'))
    const job = parse(readFileSync(join(dir, '.github/workflows/menus.yml'), 'utf8'))
    assert.is(job.jobs.lint.defaults.run['working-directory'], 'sites/my shop')
    assert.ok(job.on.pull_request.paths.includes('sites/my shop/content/navigation/**'))
    write('sites/my shop/node_modules/.bin/menuscript', `#!/bin/sh\nexec node '${PROGRAM[0]}' "$@"\n`)
    chmodSync(join(cwd, 'node_modules/.bin/menuscript'), 0o755)
    write('.gitignore', 'node_modules\n')
    git('add', '--all')
    git('commit', '--quiet', '--message', 'Menus')
    write('sites/my shop/content/navigation/main.yaml', 'nonsense: [')
    git('add', '--all')
    assert.throws(() => git('commit', '--quiet', '--message', 'Broken'))
  }))

test('Nothing that exists is written over, and a repository at GitLab gets a job of GitLab', () =>
  empty(async ({ dir, git, write }) => {
    write('menus/old.yaml', 'version: 1\ncode: old\nname: Old\nitems: []\n')
    write('.git/hooks/pre-commit', '#!/bin/sh\n')
    git('remote', 'add', 'origin', 'https://gitlab.example.org/shop.git')
    const { written, kept } = await initIn(dir)
    assert.equal(written, ['.gitlab-ci.yml'])
    assert.equal(kept, ['menus/old.yaml', '.git/hooks/pre-commit'])
    assert.is(readFileSync(join(dir, '.git/hooks/pre-commit'), 'utf8'), '#!/bin/sh\n')
    const job = parse(readFileSync(join(dir, '.gitlab-ci.yml'), 'utf8'))
    assert.match(job.menus.script.at(-1), 'lint --format gitlab')
  }))

test('Hooks of a folder outside the repository are left alone, and the note says so', () =>
  empty(async ({ dir, git }) => {
    const other = join(dir, '../hooks-of-all')
    git('config', 'core.hooksPath', other)
    const { code, stderr } = await menuscript(['init'], { cwd: dir })
    assert.is(code, 0)
    assert.match(stderr, 'core.hooksPath leads out of this repository')
    assert.not.ok(existsSync(other))
  }))

test('Without a work tree there is a menu alone, the output says what comes next, and bad input changes nothing', () =>
  inProject({}, async ({ dir, remove, texts, write }) => {
    remove('.git')
    for (const [flags, fault] of [
      [['--site', 'expres'], /Did you mean|choices/i],
      [['--menus', ''], /menus/],
    ] as const) {
      const refused = await menuscript(['init', ...flags], { cwd: dir })
      assert.not.equal(refused.code, 0)
      assert.match(refused.stderr, fault)
      assert.equal(texts(), {})
    }
    const { code, stdout, stderr } = await menuscript(['init', '--site', 'client'], { cwd: dir })
    assert.is(code, 0)
    assert.match(
      stdout,
      /^wrote menus\/main\.yaml\nwrote menus\/menu\.schema\.json\n\nNext: menuscript serve\n/,
    )
    assert.match(stdout, "createMenuClient('http://127.0.0.1:4400/api/menu')")
    assert.match(stderr, 'not a git work tree')
    write('menuscript.config.yaml', 'locales: [en]\n')
    const other = await menuscript(['init', '--menus', 'x'], { cwd: dir })
    assert.is(other.code, 2)
    assert.match(other.stderr, 'menuscript.config.yaml says where the menus are')
  }))

test('A menus folder that is a file is refused in one line', () =>
  inProject({ menus: 'a file' }, async ({ run }) => {
    const { code, stderr } = await run('init')
    assert.is(code, 3)
    assert.match(stderr, /menus/)
  }))

test('On a terminal, two questions are asked, an empty answer is the usual one, and the end of input changes nothing', () =>
  inProject({ 'package.json': INSTALLED }, async ({ dir, remove }) => {
    remove('.git')
    const ask = (...answers: string[]) => onTerminal(dir, ['init'], /\]: /, answers)
    assert.match(await ask('\u0003'), /^1 .*error: no answer was given; nothing was changed/s)
    assert.match(await ask('web/menus\r', 'polca\r'), /^2 .*"polca" is not a site/s)
    assert.not.ok(existsSync(join(dir, 'web')))
    const shown = await ask('web/menus\r', '\r')
    assert.match(shown, 'Folder of the menus [menus]:')
    assert.match(shown, 'Site (eleventy, express, fastify, polka, client, none) [express]:')
    assert.match(shown, 'wrote menuscript.config.yaml')
    assert.match(shown, 'app.use(menus.handler)')
    assert.ok(existsSync(join(dir, 'web/menus/main.yaml')))
  }))

test.run()
