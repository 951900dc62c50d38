import { scryptSync } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createPasswords, isPasswordHash } from '../../src/store/passwords.js'
import { createEventLog } from '../service/services.js'

test('E6: a hash is scrypt with N 2^14, r 8 and p 5, and a salt of its own, as anybody else computes it', async () => {
  const { hash, matches } = createPasswords(createEventLog().log)
  const [one, other] = await Promise.all([hash('correct horse'), hash('correct horse')])
  assert.is.not(one.value, other.value)
  assert.ok(isPasswordHash(one.value ?? ''))
  const [, name, cost, salt = '', key] = (one.value ?? '').split('$')
  assert.equal([name, cost], ['scrypt', 'ln=14,r=8,p=5'])
  const options = { N: 16_384, r: 8, p: 5 }
  const expected = scryptSync('correct horse', Buffer.from(salt, 'base64'), 32, options).toString('base64')
  assert.is(`${key}=`, expected)
  assert.is((await matches('correct horse', one.value)).value, true)
  assert.is((await matches('Correct horse', one.value)).value, false)
})

test('E6: a hash with other costs is compared with those, and no password has none', async () => {
  const { matches } = createPasswords(createEventLog().log)
  const salt = Buffer.alloc(16, 7)
  const key = scryptSync('caf\u00e9 noir', salt, 32, { N: 1_024, r: 8, p: 1 })
  const text = [salt, key].map((bytes) => bytes.toString('base64').replaceAll('=', '')).join('$')
  const hash = `$scrypt$ln=10,r=8,p=1$${text}`
  assert.is((await matches('caf\u00e9 noir', hash)).value, true)
  assert.is((await matches('cafe\u0301 noir', hash)).value, true, 'as another keyboard composes it')
  assert.is((await matches('', null)).value, false)
})

test('E6, Trap 7: two hashes are computed at a time, ten wait, and any more are told that it is busy', async () => {
  const { log, events } = createEventLog()
  const { matches } = createPasswords(log)
  const key = scryptSync('a', Buffer.alloc(16), 32, { N: 1_024, r: 1, p: 1 })
  const hash = `$scrypt$ln=10,r=1,p=1$${'A'.repeat(22)}$${key.toString('base64').replaceAll('=', '')}`
  const asked = Array.from({ length: 64 }, () => matches('a', hash))
  assert.is(events.length, 2)
  const answers = await Promise.all(asked)
  assert.equal(
    answers.map(({ fault }) => fault),
    [...Array(12).fill(null), ...Array(52).fill('busy')],
  )
  assert.ok(answers.slice(0, 12).every(({ value }) => value === true))
  assert.is(events.length, 12)
  assert.is((await matches('a', hash)).value, true)
})

test('E6: an account takes no more than its share of the places, however often it asks', async () => {
  const { matches } = createPasswords(createEventLog().log)
  const ask = (key: string) => matches('a', null, [{ key, most: 2 }])
  const asked = [...Array(10).fill('ana'), 'bob', 'bob', 'bob'].map(ask)
  const answers = (await Promise.all(asked)).map(({ fault }) => fault)
  assert.equal(answers, [null, null, ...Array(8).fill('busy'), null, null, 'busy'])
  assert.is((await ask('ana')).fault, null)
})

test('E6: on a busy machine nobody waits for long: those whose turn does not come are told, and later ones get theirs', async () => {
  const { matches } = createPasswords(createEventLog().log, 20)
  const answers = await Promise.all(Array.from({ length: 10 }, () => matches('a', null)))
  assert.equal(
    answers.map(({ fault }) => fault),
    [null, null, ...Array(8).fill('busy')],
  )
  assert.is((await matches('a', null)).fault, null)
})

test.run()
