import { chmodSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { loadConfig } from '../../src/config/load-config.js'
import type { Snapshot } from '../../src/model/snapshot.js'
import { type FixedFile, planFixes, toFixReport, writeFixes } from '../../src/review/lint/fix-files.js'
import { EVERYTHING } from '../../src/review/lint/scope.js'
import { contentHash } from '../../src/store/hash.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { inRepository } from '../support/repository.js'
import { fileOf, snapshotOf } from '../support/snapshot-of.js'
import { menuscript } from './command.js'
import { inProject } from './project.js'

const CONFIG = { 'menuscript.config.yaml': 'locales: [en, es]\n' }
const MENU = 'version: 1\ncode: a\nname: A\nitems:\n  - label: { EN: Home } # front door\n    url: /\n'
const MENDED = MENU.replace('EN', 'en')
const DIVIDER =
  'version: 1\ncode: b\nname: B\ncontext: {}\nitems:\n  - type: divider\n    label: x\n    icon: a:b\n'

interface Report {
  readonly problems: readonly { code: string }[]
  readonly fixed: readonly { path: string; line: number; code: string }[]
}

test('--fix reports what it fixed, one file a line, and then the remaining problems', () =>
  inProject({ ...CONFIG, 'menus/a.yaml': MENU, 'menus/sub/b.yaml': DIVIDER }, async ({ run, texts }) => {
    assert.match(
      (await run('lint')).stdout,
      /2 files, 0 errors, 5 warnings\nmenuscript lint --fix fixes 4 of them\n$/,
    )
    const { code, stdout, stderr } = await run('lint', '--fix', '--json')
    assert.is(
      stderr,
      'fixed menus/a.yaml: locale-form\nfixed menus/sub/b.yaml: unused-context, ignored-on-divider (2)\n',
    )
    assert.is(code, 0)
    const { problems, fixed } = JSON.parse(stdout) as Report
    assert.equal(
      problems.map((problem) => problem.code),
      ['missing-translation'],
    )
    assert.equal(
      fixed.map(({ path, line, code }) => `${path}:${line} ${code}`),
      [
        'menus/a.yaml:5 locale-form',
        'menus/sub/b.yaml:4 unused-context',
        'menus/sub/b.yaml:7 ignored-on-divider',
        'menus/sub/b.yaml:8 ignored-on-divider',
      ],
    )
    assert.is(texts()['menus/a.yaml'], MENDED)
    assert.is(texts()['menus/sub/b.yaml'], 'version: 1\ncode: b\nname: B\nitems:\n  - type: divider\n')
    assert.is((await run('lint', '--fix', '--max-warnings', '0')).code, 1, 'as it is after mending')
  }))

test('--fix does not write files without fixes, and keeps the mode of those it fixes', () =>
  inProject(
    { ...CONFIG, 'menus/a.yaml': MENU, 'menus/fine.yaml': DIVIDER.slice(0, 27).concat('items: []\n') },
    async ({ run, dir }) => {
      const file = (name: string) => statSync(join(dir, 'menus', name))
      chmodSync(join(dir, 'menus/a.yaml'), 0o600)
      const before = file('fine.yaml')
      await run('lint', '--fix')
      assert.is(file('fine.yaml').mtimeMs, before.mtimeMs)
      assert.is(file('fine.yaml').ino, before.ino)
      assert.is(file('a.yaml').mode & 0o777, 0o600)
    },
  ))

test('--fix --dry-run shows a difference that git applies, and writes nothing', () =>
  inRepository({ ...CONFIG, 'menus/sub/é b.yaml': MENU }, async (repository) => {
    const { code, stdout, stderr } = await menuscript(['lint', '--fix', '--dry-run'], { cwd: repository.dir })
    assert.equal([code, stderr], [1, ''])
    assert.match(stdout, '-  - label: { EN: Home } # front door\n+  - label: { en: Home } # front door\n')
    assert.is(repository.git('status', '--short'), '')
    repository.write('fix.patch', stdout)
    repository.git('apply', 'fix.patch')
    const again = await menuscript(['lint', '--fix', '--dry-run'], { cwd: repository.dir })
    assert.equal([again.code, again.stdout], [0, ''])
    repository.git('checkout', '--quiet', 'menus')
    const json = await menuscript(['lint', '--fix', '--dry-run', '--json'], { cwd: repository.dir })
    const { version, fixed, difference } = JSON.parse(json.stdout) as Report & {
      version: number
      difference: string
    }
    assert.equal([json.code, version, fixed.length, difference], [1, 1, 1, stdout])
  }))

test('--fix --dry-run prints a patch that git applies, with any lines around the change and any end of the file', () => {
  const [first = '', ...rest] = MENU.split(/(?<=\n)(?= {4}url)/)
  const texts = [`${MENU}\n\n`, `${MENU}\n \n`, MENU.trimEnd(), `${first}${rest.join('')}\n\t\n`]
  const files = Object.fromEntries(
    texts.flatMap((text, at) => [
      [`menus/a ${at}.yaml`, text.replace('code: a', `code: a${at}`)],
      [`menus/-b${at}.yaml`, text.replace('code: a', `code: b${at}`).replaceAll('\n', '\r\n')],
    ]),
  )
  return inRepository({ ...CONFIG, ...files }, async (repository) => {
    for (const path of Object.keys(files)) {
      const { code, stdout } = await menuscript(['lint', '--fix', '--dry-run', `./${path}`], {
        cwd: repository.dir,
      })
      assert.is(code, 1, path)
      repository.write('fix.patch', stdout)
      repository.git('apply', '--whitespace=nowarn', 'fix.patch')
      const fixed = files[path]?.replace('EN', 'en')
      assert.is(readFileSync(join(repository.dir, path), 'utf8'), fixed)
    }
  })
})

test('--fix keeps to its scope: paths, changes, rules that are off', () =>
  inRepository({ ...CONFIG, 'menus/a.yaml': MENU, 'menus/b.yaml': DIVIDER }, async (repository) => {
    const run = (...args: string[]) => menuscript(['lint', '--fix', ...args], { cwd: repository.dir })
    assert.is((await run('--changed', 'main')).stderr, '')
    assert.is((await run('menus/b.yaml', '--dry-run')).stdout.match(/^diff/gm)?.length, 1)
    repository.write(
      'menuscript.config.yaml',
      `${CONFIG['menuscript.config.yaml']}lint: { rules: { locale-form: off } }\n`,
    )
    await run()
    assert.is(repository.git('status', '--short', 'menus'), 'M menus/b.yaml'.padStart(15))
  }))

test('A file changed by someone else since it was read is left unchanged, and reported', async () => {
  const folder = createMenusFolder({ 'menus/a.yaml': MENU })
  const { dir } = folder
  const config = await loadConfig({ folder: dir, file: null, environment: {}, flags: {} })
  const site = { ...config, folder: dir }
  const write = (plan: readonly FixedFile[]) => toFixReport(writeFixes(plan, site), true)
  const snapshot = snapshotOf({ 'a.yaml': MENU })
  const parsed = fileOf('a.yaml', MENU, { hash: contentHash })
  const seen: Snapshot = { ...snapshot, files: [parsed] }
  const plan = () => planFixes(seen, site, EVERYTHING)
  const planned = plan()
  assert.is(planned[0]?.after, MENDED)
  folder.write('menus/a.yaml', `${MENU}x-owner: shop\n`)
  for (const each of [planned, plan()]) {
    const { lines, fixed, isDone } = write(each)
    assert.equal([fixed, isDone], [[], false])
    assert.match(lines.join('\n'), /^error: menus\/a\.yaml is left as it was: it changed in the meantime/)
  }
  folder.remove('menus/a.yaml')
  assert.match(write(planned).lines.join(), 'it cannot be written (ENOENT')
  assert.match(write(plan()).lines.join(), 'it changed in the meantime')
  folder.close()
})

test('--fix leaves a file with an error to people, and --dry-run alone is a mistake in the command', () =>
  inProject({ ...CONFIG, 'menus/a.yaml': MENU.replace('url', 'ulr') }, async ({ run, texts }) => {
    const before = texts()
    assert.is((await run('lint', '--fix')).code, 1)
    assert.equal(texts(), before)
    const dry = await run('lint', '--fix', '--dry-run')
    assert.equal(
      [dry.code, dry.stderr],
      [1, 'note: 1 error left to fix by hand; menuscript lint reports them\n'],
    )
    const { code, stderr } = await run('lint', '--dry-run')
    assert.equal([code, stderr], [2, 'error: --dry-run requires --fix\n'])
    assert.is((await run('lint', '--fix', '--dry-run', '--format', 'sarif')).code, 2)
  }))

test('Each remaining problem is reported with the reason', () =>
  inProject(
    {
      ...CONFIG,
      'menus/a.yaml': 'version: 1\ncode: a\nname: A\nitems:\n  - { label: { "\\x45N": A }, url: / }\n',
    },
    async ({ run }) => {
      const { stderr } = await run('lint', '--fix')
      assert.is(
        stderr,
        'note: menus/a.yaml:5:16 locale-form needs a manual fix: it cannot be fixed in place as it is written\n',
      )
    },
  ))

test.run()
