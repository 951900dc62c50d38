import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { createKnownDocuments } from '../../src/store/known-documents.js'
import { DEFAULT_LIMITS } from '../support/limits.js'
import { test } from '../support/test.js'
import { openForScript, type Script, textOf } from './managing.js'

const nameIn = (text: string): string => (parse(text) as { name: string }).name
const named = (name: string) => [{ op: 'replace', path: '/name', value: name }]

// The same few texts come back again and again, by each way.
const name = fc.constantFrom('One', 'Two', 'Three')
const moves = fc.array(
  fc.record({ kind: fc.constantFrom('patch', 'draft', 'put', 'by hand', 'left draft'), name }),
  { minLength: 1, maxLength: 10 },
)

async function publishDraft(script: Script, file: string, to: string): Promise<number> {
  const { id } = (await script('POST', `/drafts?file=${file}`)).json() as { id: string }
  const step = await script('PATCH', `/drafts/${id}`, { body: named(to) })
  assert.is((step.json() as { menu: { name: string } }).menu.name, to)
  return (await script('POST', `/drafts/${id}/publish`)).status
}

test('However a text became what it is, by drafts, patches or by hand, it is read, changed and published as it is on the disk', async () => {
  let count = 0
  const [script, site] = await openForScript()
  await fc.assert(
    fc.asyncProperty(moves, async (all) => {
      const file = `m${count++}.yaml`
      const textWith = (to: string) => `version: 1\ncode: m${count}\nname: ${to} # kept\nitems: []\n`
      writeFileSync(join(site.folder.dir, 'menus', file), textWith('One'))
      let [now, left] = ['One', '']
      for (const { kind, name: to } of all) {
        const read = await script('GET', `/menu?file=${file}`)
        assert.is((read.json() as { menu: { name: string } }).menu.name, now)
        const version = read.headers['etag'] ?? ''
        const send = (method: string, path: string, body: unknown, type = 'application/json') =>
          script(method, `${path}?file=${file}`, { body, version, type })
        if (kind === 'patch') assert.is((await send('PATCH', '/menu', named(to))).status, 200)
        if (kind === 'put') assert.is((await send('PUT', '/source', textWith(to), 'text/plain')).status, 200)
        if (kind === 'by hand') writeFileSync(join(site.folder.dir, 'menus', file), textWith(to))
        if (kind === 'left draft') {
          const { id } = (await script('POST', `/drafts?file=${file}`)).json() as { id: string }
          left = id
        }
        if (kind === 'draft') {
          // A draft that somebody left is resumed: it starts from what was there then.
          if (left !== '') await script('DELETE', `/drafts/${left}`)
          left = ''
          assert.is(await publishDraft(script, file, to), 200)
        }
        if (kind !== 'left draft') now = to
        assert.is(nameIn(textOf(site, file)), now)
      }
    }),
    { numRuns: 15 },
  )
})

test('A document is known by its path and its bytes, and the ones used last stay', () => {
  const { read, keep } = createKnownDocuments(DEFAULT_LIMITS)
  const textOf = (at: number) => Buffer.from(`version: 1\ncode: a\nname: N${at}\nitems: []\n`)
  const first = read('a.yaml', textOf(0))
  assert.is(read('a.yaml', Buffer.from(textOf(0))), first)
  assert.is.not(read('b.yaml', textOf(0)), first)
  const written = first.with(`${textOf(1)}`)
  keep(written)
  assert.is(read('a.yaml', textOf(1)), written)
  for (let at = 2; at < 65; at++) {
    read('a.yaml', textOf(at))
    assert.is(read('a.yaml', textOf(0)), first)
  }
  assert.is.not(read('a.yaml', textOf(1)), written)
  const large = Buffer.from(`${textOf(0)}# ${'x'.repeat(600_000)}\n`)
  const kept = read('c.yaml', large)
  assert.is(read('c.yaml', large), kept)
  read('d.yaml', large)
  assert.is.not(read('c.yaml', large), kept)
})

test.run()
