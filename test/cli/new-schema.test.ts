import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Files, inProject, type Project } from './project.js'

const SCHEMA = readFileSync(new URL('../../schemas/menu.schema.json', import.meta.url), 'utf8')
const COPY = 'menus/menu.schema.json'

/** The schema that the modeline of a file leads an editor to, from where the file lies; null when it leads nowhere. */
function schemaOf({ dir, texts }: Project, file: string): unknown {
  const [, path] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(texts()[file] ?? '') ?? []
  if (path === undefined) return null
  const found = resolve(dirname(resolve(dir, file)), path)
  return existsSync(found) ? JSON.parse(readFileSync(found, 'utf8')) : null
}

/** Projects in which the schema is, or is not, with the path to it from `menus/` and from a folder in it. */
const PROJECTS: readonly (readonly [rule: string, files: Files, near: string, deep: string])[] = [
  [
    'a project that has the package installed',
    { 'node_modules/menuscript/schemas/menu.schema.json': SCHEMA },
    '../node_modules/menuscript/schemas/menu.schema.json',
    '../../node_modules/menuscript/schemas/menu.schema.json',
  ],
  [
    'a project that has the schema in its top folder',
    { 'schemas/menu.schema.json': SCHEMA },
    '../schemas/menu.schema.json',
    '../../schemas/menu.schema.json',
  ],
  ['a project without the schema', {}, './menu.schema.json', '../menu.schema.json'],
]

for (const [rule, files, near, deep] of PROJECTS) {
  test(`In ${rule}, the modeline leads to it from any place of the file`, async () => {
    await inProject(files, async (project) => {
      assert.is((await project.run('new', 'main')).code, 0)
      assert.is((await project.run('new', 'side', '--file', 'menus/deep/side.yaml')).code, 0)
      for (const [file, path] of [
        ['menus/main.yaml', near],
        ['menus/deep/side.yaml', deep],
      ] as const) {
        assert.match(project.texts()[file] ?? '', `$schema=${path}\n`)
        assert.equal(schemaOf(project, file), JSON.parse(SCHEMA))
      }
      assert.is((await project.run('lint')).code, 0)
      assert.is(COPY in project.texts(), near === './menu.schema.json')
    })
  })
}

test('A copy of the schema that was put beside the menus is reported once, on stderr', async () => {
  await inProject({}, async ({ run }) => {
    const first = await run('new', 'main')
    assert.equal([first.stdout, first.code], ['menus/main.yaml\n', 0])
    assert.match(first.stderr, /^note: .*menus\/menu\.schema\.json/)
    assert.is((await run('new', 'side')).stderr, '')
  })
})

test('An old copy of the schema that is ours is brought up to date', async () => {
  await inProject({ [COPY]: '{ "$id": "urn:menuscript:schema:menu" }' }, async (project) => {
    assert.is((await project.run('new', 'main')).code, 0)
    assert.equal(schemaOf(project, 'menus/main.yaml'), JSON.parse(SCHEMA))
  })
})

test('A foreign schema beside the menus stays unchanged, and no modeline leads to it', async () => {
  for (const alien of ['{ "$id": "urn:other" }', 'not JSON', '[]', 'null', '']) {
    await inProject({ [COPY]: alien }, async (project) => {
      const { code, stdout } = await project.run('new', 'main')
      assert.equal([code, stdout], [0, 'menus/main.yaml\n'], alien)
      assert.is(project.texts()[COPY], alien)
      assert.not.match(project.texts()['menus/main.yaml'] ?? '', 'yaml-language-server')
    })
  }
})

test('A foreign schema in the top folder is ignored', async () => {
  await inProject({ 'schemas/menu.schema.json': '{ "$id": "urn:other" }' }, async (project) => {
    assert.is((await project.run('new', 'main')).code, 0)
    assert.equal(schemaOf(project, 'menus/main.yaml'), JSON.parse(SCHEMA))
  })
})

test('A schema beyond the project is not pointed to: others would not have it', async () => {
  const files = { 'schemas/menu.schema.json': SCHEMA, 'site/.git/HEAD': '' }
  await inProject(files, async (project) => {
    const config = ['--config', 'site/menuscript.config.yaml']
    project.write('site/menuscript.config.yaml', '')
    assert.is((await project.run('new', 'main', ...config)).stdout, 'site/menus/main.yaml\n')
    assert.match(project.texts()['site/menus/main.yaml'] ?? '', '$schema=./menu.schema.json\n')
    assert.equal(schemaOf(project, 'site/menus/main.yaml'), JSON.parse(SCHEMA))
  })
})

test('With blanks on the way the modeline still leads to the schema', async () => {
  const files = { 'schemas/menu.schema.json': SCHEMA }
  await inProject(files, async (project) => {
    assert.is((await project.run('new', 'main', '--file', 'menus/a b/main.yaml')).code, 0)
    assert.equal(schemaOf(project, 'menus/a b/main.yaml'), JSON.parse(SCHEMA))
  })
})

test.run()
