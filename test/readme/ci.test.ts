import { chmodSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { createMenusFolder } from '../support/menus-folder.js'
import { runProcess } from '../support/process.js'
import { inRepository, type TestRepository } from '../support/repository.js'
import { plain } from './markdown.js'
import { CLI, ROOT, tablesIn, takeBlocks, testCoverage } from './readme.js'
import { runMenuscript, runShell } from './shell.js'

const FINE = 'version: 1\ncode: a\nname: A\nitems: []\n'
const BROKEN = 'version: 1\ncode: a\nname: A\nitms: []\n'

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly with?: Readonly<Record<string, string | number>>
  readonly env?: Readonly<Record<string, string>>
  readonly 'working-directory'?: string
}

interface Matcher {
  readonly pattern: readonly [Readonly<Record<string, string>>, Readonly<Record<string, string>>]
}

test('The example of severities and the comment work as described', async () => {
  const [config = '', menu = ''] = takeBlocks('Findings', ['yaml', 'yaml'])
  const folder = createMenusFolder({ 'menuscript.config.yaml': config, 'menus/shop.yaml': menu })
  const fine = await runMenuscript('menuscript lint --max-warnings 0', folder.dir)
  assert.equal([fine.code, fine.stdout], [0, '✓ 1 file, 0 errors, 0 warnings\n'])
  folder.write('menus/shop.yaml', menu.replace(/^ *# menuscript.*\n/m, ''))
  const { code, stdout } = await runMenuscript('menuscript lint', folder.dir)
  assert.is(code, 1)
  assert.match(stdout, 'menus/shop.yaml:5:5 error missing-translation')
  folder.close()
})

test('The line of --changed reports the branch alone', () =>
  inRepository({ 'menus/a.yaml': BROKEN, 'menus/b.yaml': FINE }, async (repository) => {
    const [line = ''] = takeBlocks('Changed files only', ['sh'])
    repository.git('update-ref', 'refs/remotes/origin/main', 'HEAD')
    assert.is((await runMenuscript(line, repository.dir)).code, 0)
    repository.commit('Break it', { 'menus/b.yaml': BROKEN })
    assert.match((await runMenuscript(line, repository.dir)).stdout, /1 file, 1 error/)
  }))

test('What lint --fix does to the example is what is shown, and it applies', () =>
  inRepository({}, async (repository) => {
    const [menu = '', shown] = takeBlocks('Safe fixes', ['yaml', 'diff'])
    const config = 'locales: [en, es]\n'
    repository.commit('First', { 'menuscript.config.yaml': config, 'menus/shop.yaml': menu })
    const { code, stdout } = await runMenuscript('menuscript lint --fix --dry-run', repository.dir)
    assert.equal([code, stdout], [1, shown])
    assert.is(repository.git('status', '--short'), '')
    repository.write('fix.patch', stdout)
    repository.git('apply', 'fix.patch')
    assert.is((await runMenuscript('menuscript lint --fix --max-warnings 0', repository.dir)).stderr, '')
  }))

test('The hooks refuse a commit with a broken menu, and print why', async () => {
  const [definition = '', hook = ''] = takeBlocks('Pre-commit hook', ['yaml', 'sh'])
  const { repos } = parse(definition) as { repos: { hooks: { entry: string; files: string }[] }[] }
  const [{ entry, files } = { entry: '', files: '' }] = repos[0]?.hooks ?? []
  for (const path of ['menus/a.yaml', 'menuscript.config.yaml']) assert.match(path, new RegExp(files))
  assert.not.match('src/menus.ts', new RegExp(files))
  // What pre-commit does for a hook of the system: it runs the entry at the top of the work tree.
  for (const script of [`#!/bin/sh\nexec ${entry}\n`, hook]) {
    await inRepository({ 'menus/a.yaml': FINE, 'b.txt': '' }, async (repository) => {
      repository.write('.git/hooks/pre-commit', script)
      chmodSync(join(repository.dir, '.git/hooks/pre-commit'), 0o755)
      repository.write('menus/a.yaml', BROKEN)
      const refused = await commit(repository, '--all')
      assert.is(refused.code, 1)
      assert.match(refused.stdout + refused.stderr, 'menus/a.yaml:4:1 error unknown-key')
      repository.write('menus/a.yaml', `${FINE}x-owner: shop\n`)
      const taken = await commit(repository, '--all')
      assert.is(taken.code, 0, taken.stderr)
    })
  }
  await inRepository({ 'menus/a.yaml': FINE, 'b.txt': '' }, async (repository) => {
    repository.write('.git/hooks/pre-commit', hook)
    chmodSync(join(repository.dir, '.git/hooks/pre-commit'), 0o755)
    repository.write('menus/a.yaml', BROKEN)
    repository.git('add', 'menus/a.yaml')
    repository.write('menus/a.yaml', FINE)
    assert.is((await commit(repository)).code, 1, 'what is staged counts')
    repository.git('add', 'menus/a.yaml')
    repository.write('menus/a.yaml', BROKEN)
    repository.write('b.txt', 'b')
    assert.is((await commit(repository, 'b.txt')).code, 0, 'what is not staged does not')
  })
})

test('The workflow judges what a pull request changes, step by step', () =>
  inRepository({ 'menus/a.yaml': FINE, 'menus/old.yaml': BROKEN }, async (repository) => {
    const [text = ''] = takeBlocks('GitHub', ['yaml'])
    const { jobs } = parse(text) as { jobs: { lint: { steps: Step[] } } }
    const base = repository.git('rev-parse', 'HEAD')
    repository.git('checkout', '--quiet', '-b', 'work')
    repository.commit('Break it', { 'menus/a.yaml': BROKEN })
    // What is checked out for a pull request is its merge.
    repository.git('checkout', '--quiet', 'main')
    repository.git('merge', '--quiet', '--no-ff', '--message', 'Merge', 'work')
    const last = await runSteps(jobs.lint.steps, repository.dir, base)
    assert.is(last.code, 1)
    assert.match(last.stdout, /^::error file=menus\/a\.yaml,line=4,[^\n]*\n$/)
    repository.commit('Fix it', { 'menus/a.yaml': `${FINE}x-owner: shop\n` })
    const fixed = await runSteps(jobs.lint.steps, repository.dir, base)
    assert.equal([fixed.code, fixed.stdout], [0, ''])
  }))

test('The job of GitLab writes its report', async () => {
  const [text = ''] = takeBlocks('GitLab', ['yaml'])
  const { menus } = parse(text) as {
    menus: { script: string[]; artifacts: { reports: { codequality: string } } }
  }
  const [clone = '', install, run = ''] = menus.script
  // The first two fetch and build what lies here, built.
  assert.match(clone, /^git clone .*\/menuscript\.git$/)
  assert.is(install, '(cd menuscript && npm ci && npm run build)')
  const folder = createMenusFolder({ 'menus/a.yaml': BROKEN })
  symlinkSync(ROOT, join(folder.dir, 'menuscript'))
  await runShell(`${run} || true`, folder.dir)
  const report = JSON.parse(readFileSync(join(folder.dir, menus.artifacts.reports.codequality), 'utf8'))
  assert.equal(
    report.map(({ check_name, location }: { check_name: string; location: unknown }) => [
      check_name,
      location,
    ]),
    [['unknown-key', { path: 'menus/a.yaml', lines: { begin: 4 } }]],
  )
  folder.close()
})

test('The problem matchers find each problem in what lint prints', async () => {
  const [actions = '', tasks = ''] = takeBlocks('Problem matchers', ['json', 'json'])
  const matchers: Matcher[] = [
    JSON.parse(actions).problemMatcher[0],
    JSON.parse(tasks).tasks[0].problemMatcher,
  ]
  const config = 'locales: [en, es]\n'
  const warned = 'version: 1\ncode: w\nname: W\nitems:\n  - { label: { en: A }, url: / }\n'
  const files = { 'menuscript.config.yaml': config, 'menus/a b.yaml': BROKEN, 'menus/w.yaml': warned }
  const folder = createMenusFolder(files)
  const { stdout } = await runMenuscript(JSON.parse(tasks).tasks[0].command, folder.dir)
  folder.close()
  for (const matcher of matchers) {
    assert.equal(toFound(matcher, stdout.split('\n')), [
      'menus/a b.yaml 4 1 error unknown-key: "itms" is not a key of the file. Did you mean "items"?',
      'menus/w.yaml 5 7 warning missing-translation: No text in Spanish (es).',
    ])
  }
})

test('Every form of a report has a row', async () => {
  const { stderr } = await runMenuscript('menuscript lint --format none', ROOT)
  const [, list = ''] = /choices are (.+)\./.exec(stderr) ?? []
  const rows = tablesIn('Check menus in CI').flatMap((table) => table.rows)
  assert.equal(rows.map(([cell]) => plain(cell).split(' ')[1]).sort(), list.split(', ').sort())
})

testCoverage(test, 'docs/ci.md')

/** What a problem matcher finds in lines: its second pattern is for the line after that of the first. */
function toFound({ pattern: [first, second] }: Matcher, lines: readonly string[]): readonly string[] {
  return lines.flatMap((line, place) => {
    const place1 = new RegExp(first['regexp'] ?? '').exec(line)
    const place2 = new RegExp(second['regexp'] ?? '').exec(lines[place + 1] ?? '')
    if (place1 === null || place2 === null) return []
    const at = (name: string): string => place1[Number(first[name])] ?? ''
    const message = place2[Number(second['message'])]
    return [`${at('file')} ${at('line')} ${at('column')} ${at('severity')} ${at('code')}: ${message}`]
  })
}

/** Commits as somebody does who has `menuscript` on the PATH. */
function commit(repository: TestRepository, ...args: readonly string[]): ReturnType<typeof runProcess> {
  repository.write('.git/bin/menuscript', `#!/bin/sh\nexec "${process.execPath}" "${CLI}" "$@"\n`)
  chmodSync(join(repository.dir, '.git/bin/menuscript'), 0o755)
  const PATH = `${join(repository.dir, '.git/bin')}:${process.env['PATH']}`
  return runProcess('git', ['commit', '--message', 'Menus', ...args], { cwd: repository.dir, env: { PATH } })
}

/** Runs the steps of a job as its runner does, up to the first that fails; answers the last that ran. */
async function runSteps(
  steps: readonly Step[],
  dir: string,
  base: string,
): Promise<Awaited<ReturnType<typeof runProcess>>> {
  let last = { code: 0 as number | null, stdout: '', stderr: '' }
  for (const { uses, run, with: inputs, env = {}, 'working-directory': folder = '.' } of steps) {
    if (uses?.startsWith('actions/checkout@') && inputs?.['path'] !== undefined) {
      await runShell(`ln -sfn '${ROOT}' '${inputs['path']}'`, dir)
    } else if (uses !== undefined) {
      assert.match(uses, /^actions\/(checkout|setup-node)@v\d+$/)
    } else if (run === 'npm ci && npm run build') {
      // The copy lies here, installed and built.
      assert.is(folder, 'menuscript')
    } else {
      const values = Object.entries(env).map(([name, value]) => [name, toValue(value, base)])
      const options = { cwd: join(dir, folder), env: Object.fromEntries(values) }
      last = await runProcess('bash', ['-e', '-c', run ?? ''], options)
    }
    if (last.code !== 0) break
  }
  return last
}

function toValue(value: string, base: string): string {
  assert.match(value, /^\$\{\{ github\.event\.pull_request\.base\.sha \}\}$/)
  return base
}

test.run()
