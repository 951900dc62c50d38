import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createLink, LINK_MINUTES, takeLink } from '../../src/store/one-time-links.js'
import { openState, type State } from '../../src/store/state.js'
import { createMenusFolder, type MenusFolder } from '../support/menus-folder.js'
import { startProcess } from '../support/process.js'
import { programOf } from '../support/programs.js'

const NOW = Date.UTC(2026, 0, 1)
const MINUTES = 60_000

function withState(test: (state: State, folder: MenusFolder) => void): void {
  const folder = createMenusFolder()
  const { value: state } = openState(join(folder.dir, 'state'), join(folder.dir, 'menus'))
  if (state === null) throw new Error('no state')
  test(state, folder)
  folder.close()
}

test('E1: a link is valid once, in its time', () =>
  withState((state) => {
    const token = createLink(state, NOW)
    assert.match(token, /^[\w-]{43}$/)
    assert.is(takeLink(state, token, NOW + LINK_MINUTES * MINUTES - 1), '')
    assert.is(takeLink(state, token, NOW), null)
    const late = createLink(state, NOW)
    assert.is(takeLink(state, late, NOW + LINK_MINUTES * MINUTES), null)
    assert.is(takeLink(state, late, NOW), null, 'a link that came too late is used up')
    assert.equal(readdirSync(join(state.dir, 'links')), [])
  }))

test('E1: a link from the future is invalid, and is removed with the next one', () =>
  withState((state) => {
    for (const ahead of [2, 60, 365 * 24 * 60])
      assert.is(takeLink(state, createLink(state, NOW + ahead * MINUTES), NOW), null, `${ahead}`)
    createLink(state, NOW + 60 * MINUTES)
    assert.is(takeLink(state, createLink(state, NOW + 30_000), NOW), '', 'clocks differ')
    assert.equal(readdirSync(join(state.dir, 'links')), [])
  }))

test('E1: the stored hash of a link signs no one in, and only its owner can read it', () =>
  withState((state) => {
    const token = createLink(state, NOW)
    const names = readdirSync(join(state.dir, 'links'))
    assert.is(names.length, 1)
    assert.not.ok(names.some((name) => name.includes(token)))
    assert.is(statSync(join(state.dir, 'links', names[0] ?? '')).mode & 0o777, 0o600)
    for (const name of names) assert.is(takeLink(state, name, NOW), null)
    assert.is(takeLink(state, token, NOW), '')
  }))

test('E1: neither invalid tokens nor folders that are not links sign anyone in', () =>
  withState((state, folder) => {
    const other = createMenusFolder()
    const { value: empty } = openState(join(other.dir, 'state'), join(other.dir, 'menus'))
    if (empty !== null) assert.is(takeLink(empty, 'x'.repeat(43), NOW), null)
    other.close()
    const token = createLink(state, NOW)
    for (const text of ['', '.', '../users', `${token}\n`, `${token}=`, token.slice(1), '/'.repeat(43)])
      assert.is(takeLink(state, text, NOW), null, text)
    const [name = ''] = readdirSync(join(state.dir, 'links'))
    for (const end of ['', 'never', 'NaN', '-1', '0x0']) {
      writeFileSync(join(folder.dir, 'state/links', name), end)
      assert.is(takeLink(state, token, NOW), null, end)
    }
  }))

test('Expired unused links are removed with the next one', () =>
  withState((state) => {
    for (let at = 0; at < 5; at++) createLink(state, NOW)
    const valid = createLink(state, NOW + 10 * MINUTES)
    assert.is(readdirSync(join(state.dir, 'links')).length, 6)
    createLink(state, NOW + 20 * MINUTES)
    assert.is(readdirSync(join(state.dir, 'links')).length, 2)
    assert.is(takeLink(state, valid, NOW + 20 * MINUTES), '')
  }))

test('E1: of several processes that claim a link at the same time, one gets it', async () => {
  const folder = createMenusFolder()
  const { value: state } = openState(join(folder.dir, 'state'), join(folder.dir, 'menus'))
  if (state === null) throw new Error('no state')
  const tokens = Array.from({ length: 200 }, () => createLink(state, Date.now()))
  const words = [...programOf('store/claim-links.program.ts'), state.dir]
  const children = Array.from({ length: 3 }, () => startProcess('node', words, { input: tokens.join('\n') }))
  await Promise.all(children.map(({ waitFor }) => waitFor(/ready/)))
  folder.write('go', '')
  await Promise.all(children.map(({ ended }) => ended))
  const claimed = children.flatMap(({ stdout }) => stdout().trim().split('\n').slice(1))
  assert.equal(claimed.sort(), tokens.sort())
  folder.close()
})

test.run()
