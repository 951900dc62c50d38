import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { loadConfig } from '../../src/config/load-config.js'
import { type TranslatedFile, writeTranslated } from '../../src/review/translations.js'
import { contentHash } from '../../src/store/hash.js'
import { inProject } from './project.js'

const CONFIG = { 'menuscript.config.yaml': 'locales: [en, es]\n' }
const A = 'version: 1\ncode: a\nname: A\nitems:\n  - id: home\n    label: Home # front door\n    url: /\n'
const B = 'version: 1\ncode: b\nname: B\nitems:\n  - label: { en: Help, es: Ayuda }\n    url: /help\n'
const FILES = { ...CONFIG, 'menus/a.yaml': A, 'menus/sub/b.yaml': B }
const FILLED = A.replace('label: Home #', 'label: { en: Home, es: Inicio } #')
const CSV =
  '\ufefffile,key,field,source,en,es\r\na.yaml,#home,label,Home,Home,\r\nsub/b.yaml,/link:Help,label,Help,Help,Ayuda\r\n'
const TRANSLATED = CSV.replace('Home,Home,', 'Home,Home,Inicio')

test('An export prints the texts of all menus, or of some files, or writes them to a file', () =>
  inProject({ ...FILES, 'menus/broken.yaml': 'version: 2\n' }, async ({ run, texts }) => {
    const all = await run('translations', 'export')
    assert.equal(
      [all.code, all.stdout, all.stderr],
      [1, CSV, 'note: menus/broken.yaml has errors and is left out\n'],
    )
    const one = await run('translations', 'export', 'menus/sub/b.yaml', '--locale', 'ES', '--output', 'b.csv')
    assert.equal([one.code, one.stdout, one.stderr], [0, '', ''])
    assert.is(
      texts()['b.csv'],
      '\ufefffile,key,field,source,es\r\nsub/b.yaml,/link:Help,label,Help,Ayuda\r\n',
    )
  }))

for (const [format, version] of [
  ['xliff12', '1.2'],
  ['xliff2', '2.0'],
])
  test(`An export as ${format} is XLIFF ${version} for one language, and its translation comes back`, () =>
    inProject({ ...CONFIG, 'menus/a.yaml': A }, async ({ run, texts, write }) => {
      const { code, stdout } = await run('translations', 'export', '--format', format ?? '', '--locale', 'es')
      assert.is(code, 0)
      assert.match(stdout, `<xliff version="${version}" xmlns="urn:oasis:names:tc:xliff:document:${version}"`)
      write('es.xlf', stdout.replace('</source>', '</source><target>Inicio</target>'))
      const imported = await run('translations', 'import', 'es.xlf')
      assert.equal([imported.code, imported.stdout, imported.stderr], [0, 'menus/a.yaml: 1 text\n', ''])
      assert.is(texts()['menus/a.yaml'], FILLED)
    }))

test('A dry run prints the diff and writes nothing; the import writes only files that change', () =>
  inProject({ ...FILES, 'es.csv': TRANSLATED }, async ({ run, texts }) => {
    const dry = await run('translations', 'import', 'es.csv', '--dry-run')
    assert.is(dry.code, 0)
    assert.match(dry.stdout, /^--- a\/menus\/a\.yaml\n\+\+\+ b\/menus\/a\.yaml\n/m)
    assert.match(dry.stdout, '+    label: { en: Home, es: Inicio } # front door\n')
    assert.is(texts()['menus/a.yaml'], A)
    const { code, stdout } = await run('translations', 'import', 'es.csv')
    assert.equal([code, stdout], [0, 'menus/a.yaml: 1 text\n'])
    assert.equal([texts()['menus/a.yaml'], texts()['menus/sub/b.yaml']], [FILLED, B])
    const again = await run('translations', 'import', 'es.csv')
    assert.equal([again.code, again.stdout, again.stderr], [0, '', 'note: the file changes no text\n'])
  }))

test('--json has the files, the diff, the errors and the outdated rows', () =>
  inProject({ ...FILES, 'es.csv': TRANSLATED.replace('Home,Home,', 'House,,') }, async ({ run, texts }) => {
    const { code, stdout } = await run('translations', 'import', 'es.csv', '--dry-run', '--json')
    assert.is(code, 1)
    assert.equal(JSON.parse(stdout), {
      version: 1,
      files: [],
      outdated: [{ line: 2, file: 'a.yaml', key: '#home', was: 'House', now: 'Home' }],
      errors: [],
      omitted: 0,
      difference: '',
    })
    const plain = await run('translations', 'import', 'es.csv')
    assert.is(plain.code, 1)
    assert.match(plain.stderr, 'note: es.csv:2 is outdated: a.yaml #home was "House" and is now "Home"\n')
    assert.is(texts()['menus/a.yaml'], A)
    assert.is((await run('translations', 'import', 'es.csv', '--outdated')).code, 0)
    assert.is(texts()['menus/a.yaml'], FILLED)
  }))

test('One wrong row keeps every file as it is, and all wrong rows are listed', () =>
  inProject(
    { ...FILES, 'es.csv': `${TRANSLATED}c.yaml,#x,label,X,X,Y\r\nsub/b.yaml,/link:Hilp,label,X,X,Y\r\n` },
    async ({ run, texts }) => {
      const before = texts()
      const { code, stdout, stderr } = await run('translations', 'import', 'es.csv')
      assert.equal([code, stdout], [1, ''])
      assert.is(
        stderr,
        'error: es.csv:4 There is no menu file "c.yaml". Did you mean "a.yaml"?\n' +
          'error: es.csv:5 "sub/b.yaml" has no item "/link:Hilp". Did you mean "/link:Help"?\n' +
          'error: nothing is imported until this is corrected\n',
      )
      assert.equal(texts(), before)
    },
  ))

test('A file that has changed meanwhile gives the others their texts back', () =>
  inProject(FILES, async ({ dir, texts }) => {
    const config = await loadConfig({ folder: dir, file: null, environment: {}, flags: {} })
    const site = { ...config, folder: dir, menusFolder: join(dir, 'menus') }
    const fileOf = (file: string, before: string, after: string): TranslatedFile => {
      const version = contentHash(new TextEncoder().encode(before))
      return { file, path: `menus/${file}`, version, before, after, texts: 1 }
    }
    const files = [fileOf('a.yaml', A, FILLED), fileOf('sub/b.yaml', `${B}# theirs\n`, `${B}# ours\n`)]
    assert.is(writeTranslated(files, site), 'menus/sub/b.yaml cannot be written (it changed in the meantime)')
    assert.equal([texts()['menus/a.yaml'], texts()['menus/sub/b.yaml']], [A, B])
  }))

const USAGE: readonly (readonly [args: string, what: string])[] = [
  ['export --format xliff2', ''],
  [
    'export --format xliff2 --locale en',
    'error: --locale: XLIFF has one target language: name one of the locales es.',
  ],
  ['export --locale et', 'error: --locale: "et" is not one of the locales en, es. Did you mean en?'],
  ['export --format xls', "error: option '--format <form>' argument 'xls' is invalid."],
  ['export menus/c.yaml', 'error: there is no menu file menus/c.yaml; did you mean menus/a.yaml?'],
  ['import nowhere.csv', 'error: nowhere.csv cannot be read: '],
  ['import menus', 'error: menus cannot be read: '],
  ['import latin.csv', 'error: latin.csv is not UTF-8 at byte 4; save it as UTF-8'],
  ['import large.csv', 'error: large.csv has 4194305 bytes, and 4194304 are allowed'],
  ['import', "error: missing required argument 'path'"],
]

test('A command line that is wrong is refused with what is meant; one other locale needs no name', () =>
  inProject(
    {
      ...FILES,
      'latin.csv': Buffer.from([0x66, 0x69, 0x6c, 0x65, 0xe9]),
      'large.csv': Buffer.alloc(4_194_305, 'x'),
    },
    async ({ run }) => {
      for (const [args, what] of USAGE) {
        const { code, stderr } = await run('translations', ...args.split(' '))
        assert.is(code, what === '' ? 0 : 2, args)
        assert.ok(stderr.startsWith(what), `${args}: ${stderr}`)
      }
      assert.match((await run('translate')).stderr, 'Did you mean translations?')
    },
  ))

test.run()
