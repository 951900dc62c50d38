import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { yaml } from '../support/yaml.js'
import { inProject } from './project.js'

const MAIN = `# yaml-language-server: $schema=../elsewhere/menu.schema.json
# What every page shows.
version: 1
code: main
name: "Main menu"   # for editors
x-owner: shop

items:
  # the way home
  - id: home
    label:   Home
    url: /
  - { label: Shop, url: /shop }   # flow
`

const COPY = `# yaml-language-server: $schema=./menu.schema.json
# What every page shows.
version: 1
code: main
name: "Main menu, partner 3"   # for editors
context: { partner: 3 }
x-owner: shop

items:
  # the way home
  - id: home
    label:   Home
    url: /
  - { label: Shop, url: /shop }   # flow
`

test('A variant begins as a copy of the menu without context: comments, form and ids stay', () =>
  inProject({ 'menus/main.yaml': MAIN }, async ({ run, texts }) => {
    const { code, stdout, stderr } = await run('new', 'main', '--context', '{"partner": 3}')
    assert.equal([code, stdout], [0, 'menus/main.partner-3.yaml\n'])
    assert.match(stderr, 'note: it starts as a copy of menus/main.yaml')
    assert.is(texts()['menus/main.partner-3.yaml'], COPY)
    assert.is(texts()['menus/main.yaml'], MAIN)
    assert.is((await run('lint')).code, 0)
  }))

test('In a folder of its own, its modeline leads to the schema from there, and --name names it', () =>
  inProject({ 'menus/main.yaml': MAIN.replaceAll('\n', '\r\n') }, async ({ run, texts }) => {
    await run('new', 'main', '--context', '{"a":"b c"}', '--name', 'Ours', '--file', 'menus/x/y.yaml')
    const [modeline, ...rest] = (texts()['menus/x/y.yaml'] ?? '').split('\r\n')
    assert.is(modeline, '# yaml-language-server: $schema=../menu.schema.json')
    assert.equal(rest.slice(3, 5), ['name: "Ours"   # for editors', 'context: { a: b c }'])
  }))

test('With --empty it has no items, and a menu that is new has one to copy, or none', () =>
  inProject({ 'menus/main.yaml': MAIN }, async ({ run, texts }) => {
    await run('new', 'main', '--context', '{"partner": 3}', '--empty')
    assert.match(texts()['menus/main.partner-3.yaml'] ?? '', /context: \{ partner: 3 \}\nitems: \[\]\n$/)
    await run('new', 'fresh', '--empty')
    assert.match(texts()['menus/fresh.yaml'] ?? '', /items: \[\]\n$/)
    await run('new', 'side', '--context', '{"partner": 3}')
    assert.match(texts()['menus/side.partner-3.yaml'] ?? '', /items:\n {2}- label: Home/)
  }))

test('A menu in braces and one whose context is null are copied, too', () =>
  inProject(
    {
      'menus/a.yaml': '{"version": 1, "code": "a", "name": "A", "items": [{"label": "X", "url": "/"}]}\n',
      'menus/b.yaml': yaml`
        version: 1
        code: b
        context: null # everybody
        name: B
        items: []
      `,
    },
    async ({ run, texts }) => {
      for (const code of ['a', 'b']) {
        const { code: exit, stderr } = await run('new', code, '--context', '{"partner": 3}')
        assert.is(exit, 0, stderr)
        const { stdout } = await run('explain', code, '--context-sets', '[{"partner": 3}]', '--json')
        assert.match(stdout, `menus/${code}.partner-3.yaml`)
      }
      assert.match(texts()['menus/a.partner-3.yaml'] ?? '', /"name": "A, partner 3", "context": \{/)
      assert.is((await run('lint', '--json')).code, 0)
    },
  ))

test.run()
