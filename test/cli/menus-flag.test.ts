import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { inRepository } from '../support/repository.js'
import { menuscript } from './command.js'

const MENU = 'version: 1\ncode: side\nname: Side\nitems:\n  - label: Home\n    url: /\n'

test('--menus and MENUSCRIPT_MENUS name the menus folder to every command that reads menus', () =>
  inRepository({ 'content/side.yaml': MENU }, async ({ dir, commit }) => {
    commit('Another', { 'content/other.yaml': MENU.replace('code: side', 'code: other') })
    const commands: Readonly<Record<string, RegExp>> = {
      lint: /2 files, 0 errors/,
      list: /side .*content\/side\.yaml/,
      'explain side': /content\/side\.yaml/,
      'diff HEAD~1..HEAD': /other/,
      'log side': /side|Side/,
      'blame side': /Home/,
      'show side': /code: side/,
      config: /content +.*\n|menus .*content/,
      'git setup': /content/,
    }
    for (const [line, pattern] of Object.entries(commands)) {
      const words = line.split(' ')
      const byFlag = await menuscript([...words, '--menus', 'content'], { cwd: dir })
      assert.is(byFlag.code, 0, `${line}: ${byFlag.stderr}`)
      assert.match(byFlag.stdout + byFlag.stderr, pattern, line)
      const byVariable = await menuscript(words, { cwd: dir, env: { MENUSCRIPT_MENUS: 'content' } })
      assert.is(byVariable.code, 0, `${line}: ${byVariable.stderr}`)
      assert.match(byVariable.stdout + byVariable.stderr, pattern, line)
    }
    const made = await menuscript(['new', 'fresh', '--menus', 'content'], { cwd: dir })
    assert.equal([made.code, made.stdout], [0, 'content/fresh.yaml\n'], made.stderr)
  }))

test('A folder that cannot be read is reported with what names it, and a file as a file', () =>
  inRepository({ 'menus/main.yaml': MENU }, async ({ dir }) => {
    const lint = (words: readonly string[], env = {}) => menuscript(['lint', ...words], { cwd: dir, env })
    const byFlag = await lint(['--menus', 'nosuch'])
    assert.match(byFlag.stdout, /^nosuch:1:1 error folder-missing\n/)
    assert.match(byFlag.stdout, 'do  Create the folder, fix its permissions, or give --menus the right one.')
    assert.equal([byFlag.code, byFlag.stderr], [3, ''])
    const byVariable = await lint([], { MENUSCRIPT_MENUS: 'nosuch' })
    assert.match(byVariable.stdout, 'or give MENUSCRIPT_MENUS the right one.')
    const file = await lint(['--menus', 'menus/main.yaml'])
    assert.equal([file.code, file.stderr], [3, ''])
    assert.match(file.stdout, 'menus/main.yaml cannot be read: it is a file, not a folder.')
    assert.match(file.stdout, 'or give --menus a folder.')
    writeFileSync(join(dir, 'menuscript.config.yaml'), 'storage: { connections: { default: gone } }\n')
    assert.match((await lint([])).stdout, 'or point storage.connections at the right one.')
  }))

test('config shows which of them names the folder', () =>
  inRepository({}, async ({ dir }) => {
    const { stdout } = await menuscript(['config', '--menus', 'a'], {
      cwd: dir,
      env: { MENUSCRIPT_MENUS: 'b' },
    })
    assert.match(stdout, `menus ${dir}/a`)
    assert.match(stdout, /storage\.connections .*--menus/)
  }))

test.run()
