import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { MAX_FIELDS, readParts } from '../../src/web/multipart.js'

const part = (name: string, text: string): string =>
  `--cut\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`

function read(body: string) {
  return readParts(Buffer.from(body), 'cut')
}

test('Each part is a field with its text, and of a name that comes twice the first applies', () => {
  const { value } = read(`${part('a', '1\r\n\r\n2')}${part('b', '')}${part('a', '3')}--cut--`)
  assert.equal(
    [...(value ?? [])],
    [
      ['a', '1\r\n\r\n2'],
      ['b', ''],
    ],
  )
})

test('What is not a part is left out, and the parts around it are read', () => {
  const { value } = read(
    `--cut\r\nno end of its headers\r\n${part('a', '1')}--cut\r\n\r\nno name\r\n${part('b', '2')}--cut--`,
  )
  assert.equal(
    [...(value ?? [])],
    [
      ['a', '1'],
      ['b', '2'],
    ],
  )
})

test('Up to 2,000 parts are read, and more are refused', () => {
  const parts = Array.from({ length: MAX_FIELDS }, (_, at) => part(`n${at}`, 'x')).join('')
  assert.is(read(`${parts}--cut--`).value?.size, MAX_FIELDS)
  assert.is(read(`${parts}${part('more', 'x')}--cut--`).fault?.code, 'too-many-fields')
})

test('D14: parts without an end of their headers take little time, however large the body is', () => {
  const started = performance.now()
  const body = `${'--cut\r\n'.repeat(MAX_FIELDS)}${'x\r\n'.repeat(4_000_000)}--cut--`
  assert.is(read(body).value?.size, 0)
  // Searching the rest of the body for each of them takes longer.
  assert.ok(performance.now() - started < 10_000)
})

test.run()
