import { execFileSync } from 'node:child_process'
import { lstatSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { inProject } from '../cli/project.js'
import { test } from '../support/test.js'
import { namesOf, readExport } from './exports.js'

const LINK = 'version: 1\ncode: a\nname: A\nitems: [{ label: A, url: /a }]\n'
const MENUS = {
  'site/menus/a.yaml': LINK,
  'menuscript.config.yaml': 'storage: { connections: { default: site/menus } }\n',
}

const REFUSED: readonly [
  title: string,
  out: string,
  code: number,
  files?: Readonly<Record<string, string>>,
][] = [
  ['the menus folder', 'site/menus', 2],
  ['a folder above the menus folder', '.', 2],
  ['a folder in the menus folder', 'site/menus/out', 2],
  ['a link to the menus folder', 'link', 2],
  ['a file', 'file', 2, { file: 'text' }],
  ['a folder below a file', 'file/out', 3, { file: 'text' }],
  ['a folder with a foreign menus.json', 'out', 2, { 'out/menus.json': '{"manifest":2,"menus":{}}' }],
  ['a folder with a menus.json that is no JSON', 'out', 2, { 'out/menus.json': '[[[' }],
  ['a folder with a menus.json that is null', 'out', 2, { 'out/menus.json': 'null' }],
  ['a folder with a folder menus.json', 'out', 2, { 'out/menus.json/file': '' }],
]
for (const [title, out, code, files = {}] of REFUSED) {
  test(`--out refuses ${title}, and changes nothing`, () =>
    inProject({ ...MENUS, ...files }, async ({ dir, run, texts }) => {
      symlinkSync('site/menus', join(dir, 'link'))
      const before = texts()
      for (const flags of [[], ['--check']]) {
        const outcome = await run('build', '--out', out, ...flags)
        assert.equal([outcome.code, outcome.stdout], [code, ''], outcome.stderr)
        assert.match(outcome.stderr, /^error: .+/)
      }
      assert.equal(texts(), before)
    }))
}

test('A menus.json that is a link or a pipe is refused, wherever it leads', () =>
  inProject(MENUS, async ({ dir, run, write }) => {
    write('elsewhere.json', '{"manifest":1,"menus":{}}')
    for (const [at, make] of [
      (place: string) => symlinkSync('../elsewhere.json', place),
      (place: string) => symlinkSync('nowhere', place),
      (place: string) => execFileSync('mkfifo', [place]),
    ].entries()) {
      mkdirSync(join(dir, `out${at}`))
      make(join(dir, `out${at}/menus.json`))
      const { code, stderr } = await run('build', '--out', `out${at}`)
      assert.is(code, 2)
      assert.match(stderr, 'is not the manifest of an export')
    }
    assert.is(readFileSync(join(dir, 'elsewhere.json'), 'utf8'), '{"manifest":1,"menus":{}}')
  }))

test('Links with the names of its files are replaced, and what they lead to stays', () =>
  inProject(MENUS, async ({ dir, run, write }) => {
    await run('build', '--out', 'first')
    const [name = ''] = namesOf(readExport(join(dir, 'first')))
    const text = readFileSync(join(dir, 'first', name), 'utf8')
    // Of the same size, so that only the link shows it.
    write('target', 'x'.repeat(text.length))
    mkdirSync(join(dir, 'out'))
    symlinkSync('../target', join(dir, 'out', name))
    assert.is((await run('build', '--out', 'out')).code, 0)
    assert.ok(lstatSync(join(dir, 'out', name)).isFile())
    assert.is(readFileSync(join(dir, 'out', name), 'utf8'), text)
    assert.is(readFileSync(join(dir, 'target'), 'utf8'), 'x'.repeat(text.length))
  }))

test('An export goes through a link to its folder, and beside the files of a site', () =>
  inProject({ ...MENUS, 'real/index.html': 'site' }, async ({ dir, run }) => {
    symlinkSync('real', join(dir, 'out'))
    assert.is((await run('build', '--out', 'out')).code, 0)
    assert.ok(lstatSync(join(dir, 'real/menus.json')).isFile())
    assert.is(readFileSync(join(dir, 'real/index.html'), 'utf8'), 'site')
  }))

test('A menu with an error fails the build with its line, and the earlier export stays', () =>
  inProject(MENUS, async ({ run, write, texts }) => {
    await run('build', '--out', 'out')
    const outs = () => Object.entries(texts()).filter(([path]) => path.startsWith('out/'))
    const before = outs()
    write('site/menus/b.yaml', LINK.replace('items', 'itms'))
    for (const flags of [[], ['--check']]) {
      const { code, stdout, stderr } = await run('build', '--out', 'out', ...flags)
      assert.equal([code, stdout], [1, ''])
      assert.match(stderr, 'site/menus/b.yaml:4:1 error unknown-key')
    }
    assert.equal(outs(), before)
  }))

test('Without a menus folder, nothing is built', () =>
  inProject({}, async ({ run, texts }) => {
    const before = texts()
    assert.is((await run('build', '--out', 'out')).code, 3)
    assert.equal(texts(), before)
  }))

test('Menus with permissions are named, and so is the time at which to build again', () =>
  inProject(MENUS, async ({ run, write }) => {
    const items =
      '[{ label: B, url: /b, permissions: [x] }, { label: C, url: /c, visibleFrom: 2101-01-01T00:00:00Z }]'
    write('site/menus/b.yaml', `version: 1\ncode: b\nname: B\nitems: ${items}\n`)
    const { code, stdout, stderr } = await run('build', '--out', 'out')
    assert.equal([code, stdout], [0, '✓ 2 files, 1 KB: 2 written, 0 unchanged, 0 removed\n'])
    assert.is(
      stderr,
      'note: exported as anonymous viewers get them: b\nnote: a time window opens or closes at 2101-01-01T00:00:00.000Z; build again then\n',
    )
    assert.match((await run('build')).stderr, /required option '--out <dir>' not specified/)
  }))

test.run()
