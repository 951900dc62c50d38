import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { inProject } from './project.js'

const menu = (code: string, context = '', items = '[]') =>
  `version: 1\ncode: ${code}\nname: ${code}\n${context === '' ? '' : `context: ${context}\n`}items: ${items}\n`
const LINK = '{ label: A, url: / }'

test('list prints the menus by code, the one without context first, and broken files last', () =>
  inProject(
    {
      'menus/z.yaml': menu(
        'main',
        '{ partner: 3 }',
        `[${LINK}, { label: B, url: /b, hidden: true, children: [${LINK}] }]`,
      ),
      'menus/sub/main.yaml': menu('main'),
      'menus/aside.yaml': menu('aside', '', '[{ label: { en: A, fr: A }, url: / }]'),
      'menus/broken.yaml': 'version: 1\n',
      'menus/dup.yaml': menu('aside'),
    },
    async ({ run }) => {
      const { code, stdout, stderr } = await run('list')
      assert.equal(stdout.split('\n'), [
        'CODE   CONTEXT        FILE                 ITEMS  PROBLEMS',
        'aside  -              menus/aside.yaml     1      1 warning',
        'aside  -              menus/dup.yaml       0      1 error',
        'main   -              menus/sub/main.yaml  0      -',
        'main   {"partner":3}  menus/z.yaml         3      -',
        '?      -              menus/broken.yaml    -      3 errors',
        '',
      ])
      assert.equal([code, stderr], [0, 'note: 2 files have errors; menuscript lint reports them\n'])
    },
  ))

test('list --json has each menu whole, with null for the missing parts of a broken file', () =>
  inProject(
    { 'menus/main.yaml': menu('main', '{ a: é }'), 'menus/\u202ebroken.yaml': '[]' },
    async ({ run, dir }) => {
      const { stdout } = await run('list', '--json')
      assert.not.match(stdout, '\u202e')
      const { version, menusFolder, menus } = JSON.parse(stdout)
      assert.equal([version, menusFolder], [1, `${dir}/menus`])
      const fine = { code: 'main', name: 'main', context: { a: 'é' }, file: 'menus/main.yaml' }
      const broken = { code: null, name: null, context: null, file: 'menus/\u202ebroken.yaml' }
      assert.equal(menus, [
        { ...fine, items: 0, errors: 0, warnings: 0 },
        { ...broken, items: 0, errors: 1, warnings: 0 },
      ])
    },
  ))

test('Terminal control characters are shown as dots, and long contexts are cut', () =>
  inProject(
    {
      'menus/\u202emain.yaml': menu('main', `{ key: ${'x'.repeat(100)} }`),
      'menus/wide.yaml': menu('w', '{ key: 漢字 }'),
    },
    async ({ run }) => {
      const { stdout } = await run('list')
      assert.not.match(stdout, '\u202e')
      assert.match(stdout, /main {2}\{"key":"x{30,32}… {2}menus\/·main\.yaml/)
      assert.match(stdout, /^w {5}\{"key":"漢字"\} {28}menus/m)
    },
  ))

test('Without a menu, list explains how to make one; without the folder, it exits with 3', async () => {
  await inProject({ 'menus/readme.txt': '' }, async ({ run, dir }) => {
    const { code, stdout, stderr } = await run('list')
    assert.equal([code, stdout], [0, ''])
    assert.is(stderr, `note: there is no menu file in ${dir}/menus; create one with menuscript new main\n`)
    assert.equal(JSON.parse((await run('list', '--json')).stdout).menus, [])
  })
  await inProject({}, async ({ run }) => {
    const { code, stderr } = await run('list')
    assert.is(code, 3)
    assert.match(stderr, /^menus:1:1 error folder-missing\n/)
    const named = await run('list', '--menus', 'no/such')
    assert.match(named.stderr, /^no\/such:1:1 error folder-missing\n/)
  })
})

test.run()
