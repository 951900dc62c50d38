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

test('config says which of them names the folder', () =>
  inRepository({}, async ({ dir }) => {
    const { stdout } = await menuscript(['config', '--menus', 'a'], {
      cwd: dir,
      env: { MENUSCRIPT_MENUS: 'b' },
    })
    assert.match(stdout, `menus ${dir}/a`)
    assert.match(stdout, /storage\.connections .*--menus/)
  }))

test.run()
