import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { menuOf } from '../support/menu-lines.js'
import { inCommits, toRows } from './at-commits.js'

const MAIN = 'menus/main.yaml'
const PARTNER = 'code: main\ncontext: { partner: 3 }'

test('log prints the commits that changed a menu, the newest first, each with what it did', async () => {
  await inCommits(async ({ commit, run, runIn, remove }) => {
    commit('Begin', {
      [MAIN]: menuOf(['Home /', 'Lamps /lamps']),
      'menus/other.yaml': menuOf(['X /x'], 'code: other'),
    })
    commit('Not this one', { 'menus/other.yaml': menuOf(['Y /x'], 'code: other') })
    const bo = { author: 'Bo <bo@example.org>', date: '2026-03-01T23:30:00-05:00' }
    commit('Spring', { [MAIN]: menuOf(['Start /', 'Lamps /lamps', 'New /new']) }, bo)
    commit(
      'Order',
      { [MAIN]: menuOf(['Lamps /lamps', 'Start /', 'New /new']) },
      { date: '2026-03-03T20:00:00Z' },
    )
    remove(MAIN)
    commit(
      'Rename',
      { 'menus/start.yaml': `# moved\n${menuOf(['Lamps /lamps', 'Start /'])}` },
      { date: '2026-03-04T10:00:00Z' },
    )
    const { code, stdout, stderr } = await run('log', 'main')
    assert.equal([code, stderr], [0, ''])
    assert.equal(toRows(stdout), [
      '2026-03-04  0000000  Ana Núñez  Rename',
      '  menus/start.yaml: moved from menus/main.yaml, “New” removed',
      '2026-03-03  0000000  Ana Núñez  Order',
      '  menus/main.yaml: “Lamps” moved to place 1',
      '2026-03-01  0000000  Bo  Spring',
      '  menus/main.yaml: 2 items: “Start” relabelled, 1 added',
      '2026-01-01  0000000  Ana Núñez  Begin',
      '  menus/main.yaml: added with 2 items',
    ])
    const inFolder = toRows((await runIn('menus', 'log', 'main', '--config', '../x.yaml')).stderr)
    assert.match(inFolder[0] ?? '', 'x.yaml')
    const since = await run('log', 'main', '--since', '2026-03-03')
    assert.is(toRows(since.stdout).length, 4)
    const limited = await run('log', 'main', '--limit', '1', '--at', 'HEAD~1')
    assert.match(limited.stdout, /^2026-03-03 .* Order\n.*\n$/)
    assert.is(limited.stderr, 'note: there are older commits; --limit 2 shows more\n')
  })
})

test('A file of another service is no former name of a menu, and a link that leads out opens nothing', async () => {
  await inCommits(async ({ commit, run, dir, write, remove }) => {
    write('menuscript.config.yaml', 'storage: { file_prefix: a_ }\n')
    commit('Theirs', {
      'menus/b_main.yaml': menuOf(['Secret /secret']),
      'other.yaml': menuOf(['Secret /other']),
    })
    commit('Both', {
      'menus/a_main.yaml': menuOf(['Home /home', 'Two /two', 'Three /three']),
      'menus/b_main.yaml': menuOf(['Secret /secret', 'New /new']),
    })
    assert.equal(toRows((await run('log', 'main')).stdout), [
      '2026-01-02  0000000  Ana Núñez  Both',
      '  menus/a_main.yaml: added with 3 items',
    ])
    remove('menus/a_main.yaml')
    symlinkSync('../other.yaml', join(dir, 'menus/a_main.yaml'))
    for (const command of ['log', 'blame', 'show'])
      assert.not.match((await run(command, 'main', '--at', 'HEAD')).stdout, 'Secret', command)
    assert.is((await run('show', 'main')).code, 1)
    remove('menus/b_main.yaml')
    commit('Gone')
    assert.not.match((await run('show', 'main', '--at', 'HEAD')).stderr, 'b_main')
  })
})

test('Where the histories of two variants join, log prints a version once', async () => {
  await inCommits(async ({ commit, run }) => {
    commit('One', { [MAIN]: menuOf(['A /a']) })
    commit('Two', { [MAIN]: menuOf(['A /a'], PARTNER), 'menus/plain.yaml': menuOf(['A /a']) })
    assert.equal(toRows((await run('log', 'main')).stdout), [
      '2026-01-02  0000000  Ana Núñez  Two',
      '  menus/main.yaml: context changed',
      '  menus/plain.yaml: moved from menus/main.yaml',
      '2026-01-01  0000000  Ana Núñez  One',
      '  menus/main.yaml: added with 1 item',
    ])
  })
})

test('log prints the files of all variants together, a commit once; --context and --file keep one', async () => {
  await inCommits(async ({ commit, run }) => {
    const date = '2026-03-01T10:00:00Z'
    commit('Both', { [MAIN]: menuOf(['A /a']), 'menus/p.yaml': menuOf(['A /a'], PARTNER) }, { date })
    commit('Partner', { 'menus/p.yaml': menuOf(['B /a'], PARTNER) }, { date })
    commit('Plain', { [MAIN]: menuOf(['C /a']) }, { date })
    assert.equal(toRows((await run('log', 'main')).stdout), [
      '2026-03-01  0000000  Ana Núñez  Plain',
      '  menus/main.yaml: “C” relabelled',
      '2026-03-01  0000000  Ana Núñez  Partner',
      '  menus/p.yaml: “B” relabelled',
      '2026-03-01  0000000  Ana Núñez  Both',
      '  menus/main.yaml: added with 1 item',
      '  menus/p.yaml: added with 1 item',
    ])
    const subjects = async (...args: readonly string[]) =>
      (JSON.parse((await run('log', 'main', '--json', ...args)).stdout) as Told).commits.map(
        ({ subject }) => subject,
      )
    assert.equal(await subjects('--context', '{"partner": 3.0}'), ['Partner', 'Both'])
    assert.equal(await subjects('--context', '{}'), ['Plain', 'Both'])
    assert.equal(await subjects('--file', 'menus/p.yaml'), ['Partner', 'Both'])
  })
})

interface Told {
  readonly version: number
  readonly more: boolean
  readonly commits: readonly {
    readonly commit: string
    readonly subject: string
    readonly author: { readonly name: string; readonly email: string }
    readonly date: string
    readonly files: readonly {
      readonly file: string
      readonly what: string
      readonly summary: string | null
    }[]
  }[]
}

test('log --json has dates with their zones, and authors as .mailmap has them; control characters are data', async () => {
  await inCommits(async ({ commit, run, git }) => {
    const odd = { author: 'Ev\u001b[31mil <evil@example.org>', date: '2026-03-01T23:30:00-05:00' }
    const name = commit('A \u001b[2Jsubject', { [MAIN]: menuOf(['A /a']) }, odd)
    const text = await run('log', 'main')
    assert.match(text.stdout, /^2026-03-01 {2}\w+ {2}Ev·\[31mil {2}A ·\[2Jsubject$/m)
    commit('Map', { '.mailmap': 'Eve Adams <eve@example.org> <evil@example.org>\n' })
    const { version, commits, more } = JSON.parse((await run('log', 'main', '--json')).stdout) as Told
    assert.equal([version, more, commits.length], [1, false, 1])
    assert.equal(commits[0], {
      commit: name,
      short: git('rev-parse', '--short', name),
      author: { name: 'Eve Adams', email: 'eve@example.org' },
      date: '2026-03-01T23:30:00-05:00',
      subject: 'A \u001b[2Jsubject',
      files: [{ file: MAIN, from: null, what: 'added', summary: '1 item', error: null }],
    } as never)
  })
})

test('A version that cannot be read, one with errors, and a deletion are reported as such', async () => {
  await inCommits(async ({ commit, run, remove }) => {
    const good = menuOf(['A /a', 'B /b'])
    commit('Good', { [MAIN]: good })
    commit('Conflict', { [MAIN]: `<<<<<<< HEAD\n${good}` })
    commit('Typo', { [MAIN]: good.replace('- label: A', '- lable: A') })
    remove(MAIN)
    commit('Gone')
    commit('Back', { [MAIN]: good })
    assert.equal(
      toRows((await run('log', 'main')).stdout).filter((row) => row.startsWith(' ')),
      [
        '  menus/main.yaml: added with 2 items',
        '  menus/main.yaml: deleted',
        '  menus/main.yaml: “/a” relabelled and lable changed; broken at 5:5: "lable" is not a key of an item.',
        '  menus/main.yaml: broken at 1:1: A merge conflict begins here.',
        '  menus/main.yaml: added with 2 items',
      ],
    )
  })
})

test('A merge is reported only where it did something by itself', async () => {
  await inCommits(async ({ commit, run, git }) => {
    commit('Base', { [MAIN]: menuOf(['A /a', 'B /b', 'C /c']) })
    git('checkout', '--quiet', '-b', 'side')
    commit('Side', { [MAIN]: menuOf(['A /a', 'B /b', 'Side /c']) })
    git('checkout', '--quiet', 'main')
    commit('Ours', { [MAIN]: menuOf(['Ours /a', 'B /b', 'C /c']) })
    git('merge', '--quiet', '--no-commit', 'side')
    commit('Clean', { [MAIN]: menuOf(['Ours /a', 'B /b', 'Side /c']) })
    const subjects = async () =>
      toRows((await run('log', 'main')).stdout)
        .filter((row) => !row.startsWith(' '))
        .map((row) => row.split('  ').at(-1))
    assert.equal(await subjects(), ['Ours', 'Side', 'Base'])
    git('checkout', '--quiet', '-b', 'late')
    commit('Late', { [MAIN]: menuOf(['Ours /a', 'B /b', 'Late /c']) })
    git('checkout', '--quiet', 'main')
    commit('Early', { [MAIN]: menuOf(['Early /a', 'B /b', 'Side /c']) })
    git('merge', '--quiet', '--no-commit', 'late')
    commit('Evil', { [MAIN]: menuOf(['Early /a', 'Evil /b', 'Late /c']) })
    assert.equal((await subjects()).slice(0, 3), ['Evil', 'Early', 'Late'])
    assert.match(
      (await run('log', 'main', '--limit', '1')).stdout,
      /: “Evil” relabelled, by the merge itself\n$/,
    )
  })
})

test('A merge of branches that edit one item is reported only for the fields that neither has so', async () => {
  await inCommits(async ({ commit, run, git }) => {
    const shop = (label: string, url: string, more = ''): Record<string, string> => ({
      [MAIN]: `version: 1\ncode: main\nname: Main\nitems:\n  - label: ${label}\n    icon: i:i\n    x-a: 1\n    url: ${url}\n${more}`,
    })
    commit('Base', shop('Shop', '/shop'))
    git('checkout', '--quiet', '-b', 'side')
    commit('Side', shop('Store', '/shop'))
    git('checkout', '--quiet', 'main')
    commit('Ours', shop('Shop', '/store'))
    git('merge', '--quiet', '--no-commit', 'side')
    commit('Merge', shop('Store', '/store', '    hidden: true\n'))
    assert.equal(toRows((await run('log', 'main')).stdout), [
      '2026-01-04  0000000  Ana Núñez  Merge',
      '  menus/main.yaml: “Store” hidden, by the merge itself',
      '2026-01-03  0000000  Ana Núñez  Ours',
      '  menus/main.yaml: “Shop” leads elsewhere',
      '2026-01-02  0000000  Ana Núñez  Side',
      '  menus/main.yaml: “Store” relabelled',
      '2026-01-01  0000000  Ana Núñez  Base',
      '  menus/main.yaml: added with 1 item',
    ])
  })
})

test('A removal made only by a merge is attributed to the merge', async () => {
  await inCommits(async ({ commit, run, git, remove }) => {
    commit('Base', { [MAIN]: menuOf(['A /a', 'B /b', 'C /c']) })
    git('checkout', '--quiet', '-b', 'side')
    commit('Side', { [MAIN]: menuOf(['A /a', 'B /b', 'Side /c']) })
    git('checkout', '--quiet', 'main')
    commit('Ours', { [MAIN]: menuOf(['New /new', 'A /a', 'B /b', 'C /c']) })
    git('merge', '--quiet', '--no-commit', 'side')
    commit('Lossy', { [MAIN]: menuOf(['New /new', 'A /a', 'Side /c']) })
    const first = async (...more: readonly string[]) =>
      (await run('log', 'main', '--limit', '1', ...more)).stdout
    assert.match(await first(), /Lossy\n.*: “B” removed, by the merge itself\n$/)
    git('checkout', '--quiet', '-b', 'other')
    commit('Other', { [MAIN]: menuOf(['New /new', 'Other /a', 'Side /c']) })
    git('checkout', '--quiet', 'main')
    commit('Main', { [MAIN]: menuOf(['New /new', 'A /a', 'Main /c']) })
    git('merge', '--quiet', '--no-commit', '--strategy=ours', 'other')
    remove(MAIN)
    commit('Gone', { 'README.md': 'Menus were here\n' })
    const { code, stderr } = await run('log', 'main')
    assert.is(code, 1)
    assert.match(stderr, /there is no menu "main" .*: it was deleted in \w+ \(.*“Gone”\)/)
  })
})

test.run()
