import { cpSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { test } from '../support/test.js'
import { yaml } from '../support/yaml.js'
import { openForScript, textOf } from './managing.js'

const NASTY = yaml`
  # yaml-language-server: $schema=../schemas/menu.schema.json
  version: 1
  code: 'main'      # quoted
  name: Main
  items:
    # the front door
    - {label: Home, url: /, id: home}
  context: {partnerId: 3}
`

test('A copy to another code has everything else: comments, form, ids and the context', async () => {
  const [script, site] = await openForScript({ menus: { 'main.yaml': NASTY } })
  const answer = await script('POST', '/copy', { body: { file: 'main.yaml', code: 'side' } })
  assert.is(answer.status, 201, answer.text)
  const { file } = answer.json() as { file: string }
  assert.is(file, 'side.partnerId-3.yaml')
  const expected = NASTY.replace("'main'", "'side'").replace('name: Main', 'name: Side, partner ID 3')
  assert.is(withoutModeline(textOf(site, file)), withoutModeline(expected))
  assert.is(textOf(site), NASTY)
})

/** Where the schema is depends on the folder. */
function withoutModeline(text: string): string {
  return text.replace(/^# yaml-language-server.*\n/, '')
}

test('A copy goes to a context of its own, or to none, and to the file that is named', async () => {
  const [script, site] = await openForScript()
  const copied = (body: object) => script('POST', '/copy', { body: { file: 'main.yaml', ...body } })
  const variant = await copied({ context: { plan: 'pro' }, name: 'Pros', to: 'shops/pro.yaml' })
  assert.is(variant.status, 201, variant.text)
  const text = textOf(site, 'shops/pro.yaml')
  assert.match(text, /name: Pros {3}# for editors\ncontext: *\{? ?\n? *plan: pro/)
  const back = await script('POST', '/copy', {
    body: { file: 'shops/pro.yaml', code: 'plain', context: {} },
  })
  assert.is(back.status, 201, back.text)
  assert.not.match(textOf(site, 'shops/plain.yaml'), 'context')
  assert.match(textOf(site, 'shops/plain.yaml'), '# where all begins')
})

test('A copy, and a variant that starts as one, is beside its original; an empty one is at the top', async () => {
  const [script] = await openForScript({ menus: { 'shops/eu/main.yaml': NASTY.replace(/context.*\n/, '') } })
  const made = async (path: string, body: object): Promise<unknown> => {
    const answer = await script('POST', path, { body })
    return (answer.json() as { file?: unknown }).file ?? answer.text
  }
  assert.is(await made('/copy', { file: 'shops/eu/main.yaml', code: 'side' }), 'shops/eu/side.yaml')
  assert.is(await made('/menus', { code: 'main', context: { id: 1 } }), 'shops/eu/main.id-1.yaml')
  assert.is(await made('/menus', { code: 'main', context: { id: 2 }, empty: true }), 'main.id-2.yaml')
  assert.is(await made('/menus', { code: 'new' }), 'new.yaml')
})

test('A new menu names the schema for editors only where there is one', async () => {
  const [script, site] = await openForScript()
  await script('POST', '/menus', { body: { code: 'plain' } })
  assert.match(textOf(site, 'plain.yaml'), /^version: 1\n/)
  cpSync('schemas', join(site.folder.dir, 'schemas'), { recursive: true })
  await script('POST', '/menus', { body: { code: 'helped' } })
  assert.match(
    textOf(site, 'helped.yaml'),
    /^# yaml-language-server: \$schema=\.\.\/schemas\/menu\.schema\.json\n/,
  )
})

test.run()
