import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { menuOf } from '../support/menu-lines.js'
import { inCommits } from './at-commits.js'
import { menuscriptProcess } from './command.js'

const MAIN = 'menus/main.yaml'

interface Told {
  readonly version: number
  readonly file: string
  readonly at: string | null
  readonly menu: { readonly items: readonly { readonly label: string }[] } | null
  readonly problems: readonly { readonly code: string; readonly path: string }[]
}

test('show prints a file as it was in a commit, byte by byte; without --at as it is', async () => {
  await inCommits(async ({ commit, run, write, git }) => {
    const text = menuOf(['Ä /ä']).replaceAll('\n', '\r\n').trimEnd()
    git('config', 'core.autocrlf', 'false')
    commit('One', { [MAIN]: text })
    commit('Two', { [MAIN]: menuOf(['B /b']) })
    write(MAIN, menuOf(['C /c']))
    assert.equal(await run('show', 'main', '--at', 'HEAD~1'), { code: 0, stdout: text, stderr: '' })
    assert.is((await run('show', 'main', '--at', 'main')).stdout, menuOf(['B /b']))
    assert.is((await run('show', 'main')).stdout, menuOf(['C /c']))
    const told = JSON.parse((await run('show', 'main', '--at', 'HEAD', '--json')).stdout) as Told
    assert.equal([told.version, told.file, told.at], [1, MAIN, git('rev-parse', 'HEAD')])
    assert.equal(
      told.menu?.items.map(({ label }) => label),
      ['B'],
    )
  })
})

test('The variant without a context is shown by default; others are named', async () => {
  await inCommits(async ({ commit, run, write }) => {
    const [three, four] = [3, 4].map((partner) =>
      menuOf([`P${partner} /`], `code: main\ncontext: { partner: ${partner} }`),
    )
    commit('One', { [MAIN]: menuOf(['A /a']), 'menus/3.yaml': three ?? '', 'menus/4.yaml': four ?? '' })
    assert.is((await run('show', 'main')).stdout, menuOf(['A /a']))
    assert.is((await run('show', 'main', '--context', '{"partner":4}')).stdout, four)
    assert.is((await run('show', 'main', '--file', 'menus/3.yaml', '--at', 'HEAD')).stdout, three)
    const none = await run('show', 'main', '--context', '{"partner":5}')
    assert.equal(none, {
      code: 1,
      stdout: '',
      stderr: [
        'error: no variant of main has {partner: 5} in the work tree; there are:',
        `  menus/3.yaml  --context '{"partner":3}'`,
        `  menus/4.yaml  --context '{"partner":4}'`,
        `  menus/main.yaml  --context '{}'\n`,
      ].join('\n'),
    })
    assert.match(
      (await run('show', 'main', '--file', 'menus/5.yaml')).stderr,
      /^error: menus\/5\.yaml is not a file of the menu main in the work tree; there are:\n/,
    )
    commit('Two', { [MAIN]: menuOf(['A /a'], 'code: other') })
    const several = await run('blame', 'main')
    assert.equal(
      [several.code, several.stderr.split('\n')[0]],
      [2, 'error: main has several files. Say which with --context or --file; there are:'],
    )
    const text = menuOf(['A /a'], 'code: main')
    write(MAIN, text.replace('name: ', '<<<<<<< ours\nname: O\n=======\nname: T\n>>>>>>> theirs\nname: '))
    const conflict = await run('blame', 'main')
    assert.equal(conflict, {
      code: 3,
      stdout: '',
      stderr: [
        'error: menus/main.yaml is broken: resolve it first, or choose another file of main; there are:',
        `  menus/3.yaml  --context '{"partner":3}'`,
        `  menus/4.yaml  --context '{"partner":4}'`,
        "  menus/main.yaml  --file 'menus/main.yaml'\n",
      ].join('\n'),
    })
    write(MAIN, menuOf(['A /a'], 'code: other'))
    commit('Three', { 'menus/copy.yaml': menuOf(['B /b'], 'code: other') })
    assert.match(
      (await run('show', 'other', '--at', 'HEAD')).stderr,
      /^error: other has several files\. Say which with --file; there are:/,
    )
  })
})

test('A broken file is shown all the same, and why it is broken is reported', async () => {
  await inCommits(async ({ commit, run }) => {
    const text = `${menuOf(['A /a'])}itms: []\n`
    commit('One', { [MAIN]: text })
    const { code, stdout, stderr } = await run('show', 'main', '--at', 'HEAD')
    assert.equal([code, stdout], [0, text])
    assert.is(stderr, 'note: HEAD:menus/main.yaml:7:1 is broken: "itms" is not a key of the file.\n')
    const told = JSON.parse((await run('show', 'main', '--json')).stdout) as Told
    assert.equal(
      [told.menu, told.problems.map((each) => `${each.path} ${each.code}`)],
      [null, [`${MAIN} unknown-key`]],
    )
  })
})

test('explain --at explains with the menus of a commit and the configuration of now, and names places by the revision', async () => {
  await inCommits(async ({ commit, run, write, remove }) => {
    const config = 'locales: [en, es]\nstorage: { connections: { default: my menus } }\n'
    const file = 'my menus/ä.yaml'
    commit('One', { [file]: menuOf(['A /a']), 'my menus/b.yaml': 'version: 1\n' })
    commit('Two', { [file]: menuOf(['B /b']), 'menuscript.config.yaml': config })
    const past = await run('explain', 'main', '--at', 'HEAD~1', '--locale', 'es')
    assert.is(past.code, 0)
    assert.match(past.stdout, `menu   Main, HEAD~1:${file}:2\nlocale es`)
    assert.match(past.stdout, `✓ A → /a  HEAD~1:${file}:5`)
    write(file, menuOf(['C /c']))
    assert.match((await run('explain', 'main', '--at', 'main')).stdout, `✓ B → /b  main:${file}:5`)
    remove('my menus')
    assert.is((await run('explain', 'main', '--at', 'HEAD')).code, 0)
    const missing = await run('explain', 'other', '--at', 'HEAD', '--json')
    assert.is(missing.code, 1)
    assert.match(missing.stdout, `HEAD:my menus/b.yaml`)
    const unknown = await run('explain', 'main', '--at', 'HEAD~7')
    assert.equal([unknown.code, unknown.stderr.split('.')[0]], [2, 'error: there is no revision "HEAD~7"'])
  })
})

test('explain --at asks the hooks of now', async () => {
  await inCommits(async ({ commit, run, dir }) => {
    commit('One', { [MAIN]: menuOf(['A /a']) })
    commit('Two', {
      'menuscript.config.yaml': 'policies: policies.mjs\n',
      'policies.mjs': "export const resolveMenuCode = (request, hint) => (hint === 'x' ? 'main' : hint)\n",
    })
    assert.match((await run('explain', 'x', '--at', 'HEAD~1')).stdout, /^code {3}main \(for x: /m)
    commit('Three', { 'policies.mjs': 'export const nothing = 1\n' })
    // A module is loaded once in a process.
    assert.is((await menuscriptProcess(['explain', 'x', '--at', 'HEAD~1'], { cwd: dir })).code, 3)
  })
})

test('A linked folder makes no second file of a menu, in the work tree as little as in a commit', async () => {
  await inCommits(async ({ commit, run, dir, write }) => {
    commit('One', { 'menus/real/main.yaml': menuOf(['A /a']) })
    symlinkSync('real', join(dir, 'menus/link'))
    commit('Two')
    const text = menuOf(['B /b'])
    write('menus/real/main.yaml', text)
    assert.equal(await run('show', 'main'), { code: 0, stdout: text, stderr: '' })
    assert.equal((await run('show', 'main', '--at', 'HEAD')).code, 0)
    assert.is((await run('blame', 'main')).code, 0)
    assert.match((await run('diff')).stdout, 'menus: 1 changed')
  })
})

test.run()
