import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { menuOf } from '../support/menu-lines.js'
import { yaml } from '../support/yaml.js'
import { inCommits, toRows } from './at-commits.js'

const MAIN = 'menus/main.yaml'
const BO = { author: 'Bo <bo@example.org>', date: '2026-02-01T10:00:00Z' }

test('blame prints the items as a tree, each with its line and with who last changed its fields', async () => {
  await inCommits(async ({ commit, run }) => {
    const text = yaml`
      version: 1
      code: main
      name: Main
      items:
        - label: { en: Home, es: Inicio }
          url: /
        - type: section
          label: Shop
          children:
            - label: { de: Lampen }
              url: /lamps
        - type: divider
        - label: A label that is longer than a row should ever become
          url: /long
    `
    commit('One', { [MAIN]: text })
    commit('Two', { [MAIN]: text.replace('Inicio', 'Portada') }, BO)
    const { code, stdout, stderr } = await run('blame', 'main')
    assert.equal([code, stderr], [0, ''])
    assert.equal(toRows(stdout), [
      '   5  Home                                      2026-02-01  Bo         0000000  edited label.es',
      '                                                2026-01-01  Ana Núñez  0000000  added',
      '   7  Shop                                      2026-01-01  Ana Núñez  0000000  added',
      '  10    Lampen                                  2026-01-01  Ana Núñez  0000000  added',
      '  12  ─────                                     2026-01-01  Ana Núñez  0000000  added',
      '  13  A label that is longer than a row shoul…  2026-01-01  Ana Núñez  0000000  added',
    ])
  })
})

test('A file that was renamed and not committed yet has the history that it had under its name', async () => {
  await inCommits(async ({ commit, run, write, dir }) => {
    commit('One', { [MAIN]: menuOf(['A /a', 'B /b']) })
    commit('Two', { [MAIN]: menuOf(['A /a', 'Bee /b']) }, BO)
    rmSync(join(dir, MAIN))
    write('menus/other.yaml', menuOf(['New /new', 'A /a', 'Bee /b']))
    assert.equal(toRows((await run('blame', 'main')).stdout), [
      '   5  New              not committed yet           added',
      '   7  A    2026-01-01  Ana Núñez          0000000  added',
      '   9  Bee  2026-02-01  Bo                 0000000  edited label',
      '           2026-01-01  Ana Núñez          0000000  added',
    ])
  })
})

test('Uncommitted changes are reported as such; --at shows only committed ones', async () => {
  await inCommits(async ({ commit, run, write }) => {
    commit('One', { [MAIN]: menuOf(['A /a', 'B /b', 'C /c']) })
    write(MAIN, menuOf(['New /new', 'C /c', 'A /a', 'Changed /b']).replaceAll('\n', '\r\n'))
    assert.equal(toRows((await run('blame', 'main')).stdout), [
      '   5  New                  not committed yet           added',
      '   7  C                    not committed yet           moved',
      '               2026-01-01  Ana Núñez          0000000  added',
      '   9  A        2026-01-01  Ana Núñez          0000000  added',
      '  11  Changed              not committed yet           edited label',
      '               2026-01-01  Ana Núñez          0000000  added',
    ])
    assert.match(
      (await run('blame', 'main', '--at', 'HEAD')).stdout,
      /^ {3}7 {2}B {2}2026-01-01 {2}Ana Núñez/m,
    )
    write('menus/new.yaml', menuOf(['X /x'], 'code: new'))
    assert.match((await run('blame', 'new')).stdout, /X {2}not committed yet {2}added$/m)
  })
})

const SHOP = (label: string, icon: string): Record<string, string> => ({
  [MAIN]: yaml`
    version: 1
    code: main
    name: Main
    items:
      - label: ${label}
        url: /shop
        icon: ${icon}
      - label: Help
        url: /help
  `,
})
const CY = { author: 'Cy <cy@example.org>', date: '2026-02-02T10:00:00Z' }
const DEE = { author: 'Dee <dee@example.org>', date: '2026-02-03T10:00:00Z' }

test('After a merge of branches that edit different fields of an item, each field is of its author', async () => {
  await inCommits(async ({ commit, run, git }) => {
    commit('Base', SHOP('{ en: Shop, es: Tienda }', 'i:a'))
    git('checkout', '--quiet', '-b', 'side')
    commit('Spanish', SHOP('{ en: Shop, es: Compras }', 'i:a'), BO)
    git('checkout', '--quiet', 'main')
    commit('Icon', SHOP('{ en: Shop, es: Tienda }', 'i:b'), CY)
    git('merge', '--quiet', '--no-commit', 'side')
    commit('Merge', SHOP('{ en: Shop, es: Compras }', 'i:b'), DEE)
    assert.equal(toRows((await run('blame', 'main')).stdout), [
      '   5  Shop  2026-02-02  Cy         0000000  edited icon',
      '            2026-02-01  Bo         0000000  edited label.es',
      '            2026-01-01  Ana Núñez  0000000  added',
      '   8  Help  2026-01-01  Ana Núñez  0000000  added',
    ])
    const subjects = toRows((await run('log', 'main')).stdout).filter((row) => !row.startsWith(' '))
    assert.equal(
      subjects.map((row) => row.split('  ').at(-1)),
      ['Icon', 'Spanish', 'Base'],
    )
    const { items } = JSON.parse((await run('blame', 'main', '--json')).stdout) as Told
    assert.equal(
      items[0]?.fields.map(({ field, kind, changed }) => `${field} ${kind} ${changed?.author.name}`),
      [
        'icon edited Cy',
        'label.es edited Bo',
        'label.en added Ana Núñez',
        'url added Ana Núñez',
        'position added Ana Núñez',
      ],
    )
  })
})

test('blame --fields prints each commit with its fields, those of one author and removals included', async () => {
  await inCommits(async ({ commit, run }) => {
    const one = SHOP('Shop', 'i:a')
    const without = (one[MAIN] ?? '').replace('    icon: i:a\n', '')
    commit('One', one)
    commit('Two', SHOP('{ en: Shop, es: Tienda }', 'i:a'))
    commit('Three', { [MAIN]: without.replace('label: Shop', 'label: { en: Shop, es: Tienda }') })
    assert.equal(toRows((await run('blame', 'main')).stdout), [
      '   5  Shop  2026-01-03  Ana Núñez  0000000  removed icon',
      '   7  Help  2026-01-01  Ana Núñez  0000000  added',
    ])
    assert.equal(toRows((await run('blame', 'main', '--fields')).stdout), [
      '   5  Shop  2026-01-03  Ana Núñez  0000000  removed icon',
      '            2026-01-02  Ana Núñez  0000000  edited label.es',
      '            2026-01-01  Ana Núñez  0000000  added label.en, url, position',
      '   7  Help  2026-01-01  Ana Núñez  0000000  added label, url, position',
    ])
  })
})

interface Told {
  readonly version: number
  readonly file: string
  readonly at: string | null
  readonly items: readonly {
    readonly line: number
    readonly pointer: string
    readonly label: unknown
    readonly kind: string
    readonly keys: readonly string[]
    readonly changed: { readonly commit: string; readonly date: string } | null
    readonly moved: { readonly commit: string | null } | null
    readonly fields: readonly {
      readonly field: string
      readonly kind: string
      readonly changed: { readonly author: { readonly name: string } } | null
    }[]
  }[]
}

test('blame --json has the same, with pointers and full names', async () => {
  await inCommits(async ({ commit, run, write }) => {
    const one = commit('One', { [MAIN]: menuOf(['A /a', 'S', '  B /b']) })
    const two = commit('Two', { [MAIN]: menuOf(['S', '  B /b', '  A /a']) })
    write(MAIN, menuOf(['B /b', 'S', '  A /a']))
    const told = JSON.parse((await run('blame', 'main', '--json')).stdout) as Told
    assert.equal([told.version, told.file, told.at], [1, MAIN, null])
    assert.equal(
      told.items.map(({ line, pointer, label, kind, changed, moved }) => [
        line,
        pointer,
        label,
        kind,
        changed?.commit,
        moved?.commit ?? null,
      ]),
      [
        [5, '/items/0', 'B', 'added', one, null],
        [7, '/items/1', 'S', 'added', one, null],
        [10, '/items/1/children/0', 'A', 'added', one, two],
      ],
    )
    assert.equal(
      told.items.map(({ moved }) => moved !== null),
      [true, false, true],
    )
    const past = JSON.parse((await run('blame', 'main', '--json', '--at', two)).stdout) as Told
    assert.equal([past.file, past.at], [`${two}:${MAIN}`, two])
  })
})

test('While a merge is in progress, what came from either side is of its author', async () => {
  await inCommits(async ({ commit, run, git }) => {
    commit('Base', { [MAIN]: menuOf(['A /a', 'B /b', 'C /c', 'D /d', 'E /e']) })
    git('checkout', '--quiet', '-b', 'side')
    commit('Side', { [MAIN]: menuOf(['A /a', 'B /b', 'C /c', 'D /d', 'Side /e']) }, BO)
    git('checkout', '--quiet', 'main')
    commit('Ours', { [MAIN]: menuOf(['Ours /a', 'B /b', 'C /c', 'D /d', 'E /e']) })
    git('merge', '--quiet', '--no-commit', 'side')
    const { code, stdout, stderr } = await run('blame', 'main')
    assert.is(code, 0)
    assert.equal(
      toRows(stdout).map((row) => row.slice(6, 31).trimEnd()),
      [
        'Ours  2026-01-03  Ana Núñ',
        'B     2026-01-01  Ana Núñ',
        'C     2026-01-01  Ana Núñ',
        'D     2026-01-01  Ana Núñ',
        'Side  2026-02-01  Bo',
        '      2026-01-01  Ana Núñ',
      ],
    )
    assert.is(
      stderr,
      'note: a merge is in progress: what neither side has is reported as not committed yet\n',
    )
    assert.match(
      (await run('log', 'main')).stderr,
      /^note: a merge is in progress: .* --at MERGE_HEAD has the other\n$/,
    )
    assert.match((await run('log', 'main', '--at', 'MERGE_HEAD')).stdout, /Bo {2}Side\n/)
  })
})

test('A file that is broken in the work tree is reported with its place and with what to ask for; one with errors is explained', async () => {
  await inCommits(async ({ commit, run, write }) => {
    const good = menuOf(['A /a', 'B /b'])
    commit('One', { [MAIN]: good })
    write(MAIN, good.replace('name: Main', '<<<<<<< ours\nname: Main\n=======\nname: Other\n>>>>>>> theirs'))
    const broken = await run('blame', 'main')
    assert.equal([broken.code, broken.stdout], [3, ''])
    assert.match(broken.stderr, /^menus\/main\.yaml:3:1 error merge-conflict$/m)
    assert.match(
      broken.stderr,
      /^error: menus\/main\.yaml cannot be read\. Fix it, or use the committed version: --at HEAD$/m,
    )
    assert.is((await run('blame', 'main', '--at', 'HEAD')).code, 0)
    write(MAIN, good.replace('url: /b', 'urll: /b'))
    const wrong = await run('blame', 'main')
    assert.equal([wrong.code, toRows(wrong.stdout).length], [0, 3])
    assert.match(wrong.stderr, /^note: menus\/main\.yaml:\d+:\d+ is broken: /)
    write(MAIN, good.replace('items:', 'items: ['))
    commit('Two')
    const past = await run('blame', 'main', '--at', 'HEAD')
    assert.is(past.code, 3)
    assert.match(past.stderr, /^error: HEAD:menus\/main\.yaml cannot be read\. Choose another version$/m)
  })
})

test('A link in the menus folder has the history of its target', async () => {
  await inCommits(async ({ dir, commit, run }) => {
    commit('One', { 'menus/.shared/main.yaml': menuOf(['A /a', 'B /b']) })
    symlinkSync('.shared/main.yaml', join(dir, MAIN))
    commit('Link')
    commit('Two', { 'menus/.shared/main.yaml': menuOf(['A /a', 'C /b']) }, BO)
    for (const at of [[], ['--at', 'HEAD']]) {
      const rows = toRows((await run('blame', 'main', ...at)).stdout).map((row) => row.slice(6, 22).trimEnd())
      assert.equal(rows, ['A  2026-01-01  A', 'C  2026-02-01  B', '   2026-01-01  A'])
    }
  })
})

test('A menu without items is not an error', async () => {
  await inCommits(async ({ commit, run }) => {
    commit('One', { [MAIN]: menuOf([]) })
    const { code, stdout } = await run('blame', 'main')
    assert.equal([code, stdout], [0, 'menus/main.yaml: no items\n'])
  })
})

test.run()
