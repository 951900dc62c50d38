import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ExplainedItem } from '../../src/service/explain/explanation.js'
import { yaml } from '../support/yaml.js'
import { menuscript, menuText } from './command.js'
import { inProject } from './project.js'

const ESCAPE = '\u001b['

const SHOP = {
  'menuscript.config.yaml': yaml`
    locales: [en, es]
    icon_library_prefix_map: { bootstrap-icons: bi }
    routes: { home: /, report: /reports/:id }
  `,
  'menus/partners/sidebar.yaml': yaml`
    version: 1
    code: sidebar
    name: Partner sidebar
    context: { partnerId: 3 }
    items:
      - label: { en: Dashboard, es: Panel }
        routeName: home
        icon: bootstrap-icons:house
      - type: divider
      - type: section
        label: Reports
        children:
          - label: { en: Sales }
            routeName: report
            routeParams: { id: sales, year: 2024 }
            permissions: [reports.view]
      - label: Help
        url: /help
        children:
          - label: Old
            url: /old
            hidden: true
  `,
}

const ASKED = ['sidebar', '--locale', 'es-MX', '--context-sets', '[{"partnerId": 3}, null]'] as const

const TOLD = yaml`
  code   sidebar
  menu   Partner sidebar, menus/partners/sidebar.yaml:2
  locale es: es-MX was requested, and es is the closest of the locales
  viewer anonymous with no permissions: there is no hook resolveViewer

  Candidates
    ✓ 1. {partnerId: 3}  won: it is the first one with an equal context
    · 2. no context  not tried: an earlier candidate won

  Items
    ✓ Panel → /  menus/partners/sidebar.yaml:6
        shown: it is for everybody
        label: es, the effective locale
        href: the route /
        icon: bi:house, bootstrap-icons:house with the prefix of icon_library_prefix_map
    ✓ ─────  menus/partners/sidebar.yaml:9
        shown: it is for everybody
    ✗ Reports  menus/partners/sidebar.yaml:10
        emptied: a section with only dividers left
        label: one text for every locale
      ✗ Sales  menus/partners/sidebar.yaml:13
          denied: it needs reports.view, which the viewer lacks
          label: en, the default locale: it has no text in es
    ✓ Help → /help  menus/partners/sidebar.yaml:17
        shown: it is for everybody; everything below it is gone, and the link stays
        label: one text for every locale
        href: its url, as written
      ✗ Old  menus/partners/sidebar.yaml:20
          hidden: the file has hidden: true
          label: one text for every locale
`

/** What `explain --json` prints, as far as the tests look. */
interface Told {
  readonly version: number
  readonly menu: { readonly path: string; readonly line: number; readonly name: string } | null
  readonly code: { readonly asked: string; readonly resolved: string }
  readonly locale: { readonly effective: string }
  readonly viewer: { readonly id: unknown; readonly permissions: readonly string[] }
  readonly candidates: readonly { readonly context: unknown; readonly outcome: string }[]
  readonly notes: readonly string[]
  readonly items: readonly ExplainedItem[]
}

test('explain prints the whole of a request: code, menu, locale, viewer, candidates and each item with file:line', async () => {
  await inProject(SHOP, async ({ run }) => {
    const { code, stdout, stderr } = await run('explain', ...ASKED)
    assert.equal([code, stderr], [0, ''])
    assert.is(stdout, TOLD)
  })
})

test('With the permission, the same request shows the section and its items', async () => {
  await inProject(SHOP, async ({ run }) => {
    const { stdout } = await run('explain', ...ASKED, '--permissions', 'other, reports.view')
    assert.match(stdout, /^viewer anonymous with other, reports\.view: as given$/m)
    assert.match(stdout, /^ +✓ Reports → # {2}menus\/partners\/sidebar\.yaml:10$/m)
    assert.match(stdout, /^ +✓ Sales → \/reports\/sales\?year=2024 {2}menus\/partners\/sidebar\.yaml:13$/m)
    assert.match(stdout, /^ +shown: the viewer has reports\.view$/m)
    assert.match(stdout, /^ +href: the route \/reports\/:id; id of the item; year in the query string$/m)
  })
})

test('explain --json is one JSON value with the same, its form numbered', async () => {
  await inProject(SHOP, async ({ run }) => {
    const { code, stdout, stderr } = await run('explain', ...ASKED, '--json')
    assert.equal([code, stderr], [0, ''])
    const told = JSON.parse(stdout) as Told
    assert.is(told.version, 1)
    assert.equal([told.menu?.path, told.menu?.line], ['menus/partners/sidebar.yaml', 2])
    assert.equal([told.code.asked, told.code.resolved, told.locale.effective], ['sidebar', 'sidebar', 'es'])
    assert.equal(
      told.candidates.map(({ outcome }) => outcome),
      ['won', 'not-tried'],
    )
    const sales = told.items[2]?.children[0]
    assert.equal([sales?.line, sales?.fate, sales?.permissions?.missing], [13, 'denied', ['reports.view']])
    assert.equal([told.items[0]?.href?.value, told.items[0]?.icon?.value], ['/', 'bi:house'])
  })
})

test('Files are named as seen from the current folder', async () => {
  await inProject({ ...SHOP, 'docs/x.txt': '' }, async ({ dir }) => {
    const args = ['explain', ...ASKED, '--config', '../menuscript.config.yaml']
    const { stdout } = await menuscript(args, { cwd: `${dir}/docs` })
    assert.is(stdout, TOLD.replaceAll('menus/partners', '../menus/partners'))
    const { menu } = JSON.parse(
      (await menuscript([...args, '--json'], { cwd: `${dir}/docs` })).stdout,
    ) as Told
    assert.is(menu?.path, '../menus/partners/sidebar.yaml')
  })
})

test('Files that are named in a reason or a note are named from the current folder, too', async () => {
  const second = SHOP['menus/partners/sidebar.yaml']
  await inProject(
    { ...SHOP, 'menus/z.yaml': second, 'menus/broken.yaml': 'version: 1\n' },
    async ({ run }) => {
      const { stdout } = await run('explain', 'sidebar', '--context-sets', '[{"partnerId": 4}]')
      assert.match(stdout, / menus\/partners\/sidebar\.yaml:2/)
      assert.match(stdout, / menus\/z\.yaml:2/)
      assert.match(stdout, / menus\/broken\.yaml/)
    },
  )
})

/** Context sets as they are sent, and the contexts of the candidates. */
const SENT: readonly (readonly [sets: string, candidates: readonly unknown[]])[] = [
  ['', [{}]],
  ['null', [{}]],
  ['[]', [{}]],
  ['[{}]', [{}]],
  ['[null]', [{}]],
  ['[[], {"a": 1.0}, null]', [{}, { a: 1 }, {}]],
]

test('Context sets are read as the endpoint reads them: {}, null and [] are no context', async () => {
  await inProject({ 'menus/main.yaml': menuText('main') }, async ({ run }) => {
    for (const [sets, contexts] of SENT) {
      const { code, stdout } = await run('explain', 'main', '--json', '--context-sets', sets)
      const { candidates, menu } = JSON.parse(stdout) as Told
      assert.equal([code, menu?.path], [0, 'menus/main.yaml'], sets)
      assert.equal(
        candidates.map(({ context }) => context),
        contexts,
      )
    }
  })
})

test('Where no menu answers, the exit code is 1, and the reason is reported on stdout', async () => {
  const files = { 'menus/main.yaml': menuText('main'), 'menus/side.yaml': 'version: 1\ncode: side\n' }
  await inProject(files, async ({ run }) => {
    const unknown = await run('explain', 'side')
    assert.equal([unknown.code, unknown.stderr], [1, ''])
    assert.match(unknown.stdout, /^menu {3}none$/m)
    assert.match(unknown.stdout, 'side.yaml')
    const unequal = await run('explain', 'main', '--json', '--context-sets', '[{"a": 1}]')
    assert.is(unequal.code, 1)
    const { menu, candidates, items } = JSON.parse(unequal.stdout) as Told
    assert.equal([menu, candidates[0]?.outcome, items], [null, 'lost', []])
  })
})

test('A menu whose tree is empty answers: exit code 0, and that it is empty is reported', async () => {
  await inProject(
    { 'menus/main.yaml': 'version: 1\ncode: main\nname: Main\nitems: []\n' },
    async ({ run }) => {
      const { code, stdout } = await run('explain', 'main')
      assert.is(code, 0)
      assert.match(stdout, /Items\n.*empty/)
    },
  )
})

test('A folder without menus is reported, and nothing is made', async () => {
  await inProject({}, async ({ run, texts }) => {
    const { code, stdout } = await run('explain', 'main')
    assert.is(code, 1)
    assert.match(stdout, 'there is no menu at all')
    assert.match(stdout, /The menus folder .*menus cannot be read/)
    assert.equal(Object.keys(texts()), ['.git/HEAD'])
  })
})

/** What is no request, with what is said of it. */
const MISTAKES: readonly (readonly [args: readonly string[], said: RegExp])[] = [
  [[], /^error: .*code/],
  [['main', 'more'], /^error: /],
  [['main', '--context-sets', '{'], /^error: --context-sets is not JSON.*\[\{"partnerId": 3\}, null\]/],
  [['main', '--context-sets', '{"a": 1}'], /^error: --context-sets.*list/],
  [['main', '--context-sets', '[1]'], /^error: --context-sets\/0: /],
  [['main', '--context-sets', '[{}, {"a": {"b": 1}}]'], /^error: --context-sets\/1\/a: /],
  [['main', '--context-sets', '[{"a": 9007199254740993}]'], /^error: --context-sets\/0\/a: .*quote it/],
  [['main', '--context-sets', '[null, null, null]'], /^error: --context-sets\/2: .*2 are allowed/],
  [['main', '--header', 'no colon'], /^error: --header "no colon".*Name: value/],
  [['main', '--header', ': x'], /^error: --header/],
]

test('An invalid request is a usage error with a valid example: exit code 2, and nothing on stdout', async () => {
  const files = {
    'menus/main.yaml': menuText('main'),
    'menuscript.config.yaml': 'limits: { context_sets: 2 }',
  }
  await inProject(files, async ({ run }) => {
    for (const [args, said] of MISTAKES) {
      const { code, stdout, stderr } = await run('explain', ...args)
      assert.equal([code, stdout], [2, ''], args.join(' '))
      assert.match(stderr, said)
      assert.match(stderr, /^[^\n]+\n(?:\(.*\n)?$/)
    }
  })
})

test('Without a terminal there are no colours; FORCE_COLOR turns them on, and JSON never has any', async () => {
  await inProject(SHOP, async ({ dir }) => {
    const tell = async (env: Readonly<Record<string, string | undefined>>, ...more: readonly string[]) =>
      (await menuscript(['explain', ...ASKED, ...more], { cwd: dir, env })).stdout
    const plain = await tell({ NO_COLOR: undefined })
    assert.is(plain, TOLD)
    const painted = await tell({ NO_COLOR: undefined, FORCE_COLOR: '1' })
    assert.match(painted, ESCAPE)
    assert.is(painted.replace(new RegExp(`${ESCAPE.replace('[', '\\[')}\\d+m`, 'g'), ''), TOLD)
    assert.not.match(await tell({ NO_COLOR: undefined, FORCE_COLOR: '1' }, '--json'), ESCAPE)
  })
})

test('No control or direction character of a file or of a request reaches the terminal', async () => {
  const odd = '"\\e[2J\\u009b31m\\u202e\\a\\r\\nodd"'
  const text = yaml`
    version: 1
    code: main
    name: ${odd}
    context: { ${odd}: ${odd} }
    items:
      - { label: ${odd}, routeName: ${odd}, icon: ${odd}, permissions: [${odd}] }
      - { label: { en: ${odd} }, url: / }
  `
  const name = 'menus/\u001b[2J\u009b31m\u202eodd\u0007\r.yaml'
  await inProject({ [name]: text, 'menus/\u001bbad.yaml': 'version: 1\n' }, async ({ run }) => {
    const key = '\u001b[2J\u009b31m\u202e\u0007\r\nodd'
    for (const contexts of [[{ [key]: key }], [{ [key]: 'other' }]]) {
      const args = ['--locale', key, '--permissions', key, '--context-sets', JSON.stringify(contexts)]
      const { stdout, stderr } = await run('explain', 'main', ...args)
      assert.match(stdout, 'odd')
      assert.not.match((stdout + stderr).replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u)
    }
    const { stdout } = await run('explain', key)
    assert.not.match(stdout.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u)
  })
})

test('--now explains the request at another time, and refuses what is not one', async () => {
  const menu = 'version: 1\ncode: a\nname: A\nvisibleFrom: 2026-12-01T00:00:00+01:00\nitems: []\n'
  await inProject({ 'menus/a.yaml': menu }, async ({ run }) => {
    const before = await run('explain', 'a', '--now', '2026-11-30T22:59:59Z')
    assert.is(before.code, 1)
    assert.match(before.stdout, /^as of {2}2026-11-30T22:59:59\.000Z\ncode {3}a\nmenu {3}none/)
    assert.match(before.stdout, /lost: menus\/a\.yaml:2 .* visible only from 2026-12-01T00:00:00\+01:00/)
    assert.is((await run('explain', 'a', '--now', '2026-12-01T00:00:00+01:00')).code, 0)
    for (const wrong of ['tomorrow', '2026-12-01', '2026-12-01T00:00:00', '2026-02-30T00:00:00Z', '']) {
      const { code, stderr } = await run('explain', 'a', '--now', wrong)
      assert.is(code, 2, wrong)
      assert.match(stderr, /--now must be a date and time with an offset.* 2026-12-01T00:00:00\+01:00/)
    }
  })
})

test.run()
