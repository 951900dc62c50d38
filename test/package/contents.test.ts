import { readdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { kitPaths } from '../deploy/kit.js'
import { ROOT } from '../readme/readme.js'
import { figure } from '../support/figures.js'
import { pack } from './project.js'

const packed = await pack()
const everyPath = packed.files.map(({ path }) => path)
const paths = everyPath.filter((path) => !path.startsWith('node_modules/'))
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const versionOf = (name: string) => JSON.parse(textOf(`node_modules/${name}/package.json`)).version

test('The package holds the build output, the schemas, the papers and the files for deployments, and nothing else', () => {
  const pages = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'))
  const papers = [
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'package.json',
    ...pages.map((name) => `docs/${name}`),
    ...kitPaths().map((path) => `docs/deploy/${path}`),
  ]
  const schemas = ['schemas/config.schema.json', 'schemas/menu.schema.json']
  const rest = paths.filter((path) => !path.startsWith('dist/'))
  assert.equal(rest.sort(), [...papers, ...schemas].sort())
  for (const path of [
    'dist/cli.js',
    'dist/client.js',
    'dist/client.d.ts',
    'dist/index.js',
    'dist/index.d.ts',
    'dist/disclosure.js',
    'dist/styles.css',
    'dist/eleventy.js',
    'dist/eleventy.d.ts',
    'dist/THIRD-PARTY.txt',
    'dist/sbom.cdx.json',
  ]) {
    assert.ok(paths.includes(path), path)
  }
  const built =
    /^dist\/(THIRD-PARTY\.txt|sbom\.cdx\.json|(?:index|client|eleventy|disclosure)\.d\.ts|styles\.css|[\w-]+\.js)$/
  assert.equal(
    paths.filter((path) => path.startsWith('dist/') && !built.test(path)),
    [],
  )
})

test('It carries no package as a folder', () => {
  assert.equal(packed.bundled, [])
  assert.equal(everyPath, paths)
})

test('Bundled packages are listed with version and licence', () => {
  const built = paths.filter((path) => path.startsWith('dist/') && path.endsWith('.js')).map(textOf)
  const takenIn = built.flatMap((text) =>
    [...text.matchAll(/^\/\/ node_modules\/((?:@[^/]+\/)?[^/]+)/gm)].map(([, name = '']) => name),
  )
  const names = [...new Set(takenIn)].sort()
  assert.ok(names.includes('nunjucks') && !names.includes('yaml'), names.join(' '))
  const notices = textOf('dist/THIRD-PARTY.txt').split('\n----\n\n')
  assert.equal(
    notices.map((notice) => notice.split('\n', 1)[0]),
    names.map((name) => `${name} ${versionOf(name)}`),
  )
  for (const notice of notices) assert.match(notice, /Copyright|\(c\)/)
  const { components } = JSON.parse(textOf('dist/sbom.cdx.json')) as { components: { purl: string }[] }
  assert.equal(
    components.map(({ purl }) => purl),
    names.map((name) => `pkg:npm/${name}@${versionOf(name)}`),
  )
})

test('The package is small: under 900 KB to download, under 3.5 MB on disk', () => {
  assert.ok(packed.size < 900_000, `${packed.size}`)
  const onDisk = packed.files.reduce((sum, { size }) => sum + size, 0)
  assert.ok(onDisk < 3_500_000, `${onDisk}`)
})

test('What pages load to show menus is small: the style sheet under 4 KB, the script under 1 KB, compressed', () => {
  const sizes = ['styles.css', 'disclosure.js'].map((name) => gzipSync(textOf(`dist/${name}`)).length)
  figure('Style sheet and script of menus', sizes.join(' and '), '4096 and 1024 bytes')
  const [style = 0, script = 0] = sizes
  assert.ok(style <= 4096 && script <= 1024, `${sizes}`)
  assert.not.match(textOf('dist/styles.css'), /url\(|@import/)
})

test('The command can be executed', () => {
  const command = packed.files.find(({ path }) => path === 'dist/cli.js')
  assert.is(command?.mode, 0o755)
  assert.ok(textOf('dist/cli.js').startsWith('#!/usr/bin/env node\n'))
})

test('No file that is built names a folder of the machine that built it', () => {
  for (const path of paths.filter((path) => path.startsWith('dist/'))) {
    for (const folder of [`${ROOT}/`, `${homedir()}/`, 'file:///']) {
      assert.not.ok(textOf(path).includes(folder), `${path} names ${folder}`)
    }
  }
})

test('Nothing in it leads to sources that are not', () => {
  for (const path of paths) assert.not.match(path, /\.map$/)
  for (const path of paths.filter((each) => each.endsWith('.js')))
    assert.not.match(textOf(path), /sourceMappingURL=/)
})

test('Each file that a module or a declaration of the package imports is in it', () => {
  for (const path of paths.filter((path) => /\.(d\.ts|js)$/.test(path))) {
    for (const [, specifier = ''] of textOf(path).matchAll(/\bfrom ["'](\.{1,2}\/[^"']+)["']/g)) {
      const target = join(
        path,
        '..',
        path.endsWith('.d.ts') ? specifier.replace(/\.js$/, '.d.ts') : specifier,
      )
      assert.ok(paths.includes(target), `${path} imports ${specifier}`)
    }
  }
})

test.run()
