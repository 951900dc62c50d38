import * as assert from 'uvu/assert'
import { test } from '../support/test.js'
import { editorOf, fieldsOf } from './forms.js'
import { NESTED } from './managing.js'
import { createVisitor, HOME, openForVisitor, textOfPage, type Visitor } from './visiting.js'

const SHARED = 'Everyone who signs in with a link shares one draft of this menu.'

/** A site, and what lets somebody sign in by a link with a name. */
async function openForNamed() {
  const [, site] = await openForVisitor({ menus: { 'main.yaml': NESTED } })
  const enter = async (name: string): Promise<Visitor> => {
    const visitor = createVisitor(site.ask, site.url)
    await visitor.enter(site.link(name))
    return visitor
  }
  return { site, enter }
}

test('People whose links have names have drafts of their own, and what they publish is theirs', async () => {
  const { enter } = await openForNamed()
  const [ana, ben, local] = [await enter('Ana'), await enter('Ben'), await enter('')]
  await editorOf(ana).fill('/items/0', { 'label:en': 'Start' })
  const seen = await Promise.all(
    [ana, ben, local].map(async (each) => textOfPage(await editorOf(each).page())),
  )
  assert.equal(
    seen.map((text) => text.includes('Start')),
    [true, false, false],
    'each has a draft',
  )
  assert.match(seen[1] ?? '', /Ana is also editing/)
  assert.equal(
    seen.map((text) => text.includes(SHARED)),
    [false, false, true],
  )
  await editorOf(ana).review('publish')
  assert.match(textOfPage(await ben.look(`${HOME}/history?file=main.yaml`)), /Ana/)
})

test('Signing out ends the sessions of one name, and of no other', async () => {
  const { enter } = await openForNamed()
  const [ana, copy, ben] = [await enter('Ana'), await enter('ana'), await enter('Ben')]
  const { csrf = '' } = fieldsOf(await ana.look(HOME), 'csrf')
  assert.is((await ana.send(`${HOME}/sign-out`, { csrf })).status, 303)
  assert.equal([(await copy.look(HOME)).status, (await ben.look(HOME)).status], [303, 200])
  assert.is((await (await enter('Ana')).look(HOME)).status, 200)
})

test('A name of the users file, a reserved one and none that is fit for a user get no link', async () => {
  const { site, enter } = await openForNamed()
  const carla = await enter('Carla')
  site.folder.write('.menuscript/users', 'Carla view 1 -\n')
  for (const name of ['Carla', 'carla', 'local', 'token', 'a b', '-x', 'x'.repeat(65)])
    assert.is(site.link(name), '', name)
  assert.is((await carla.look(HOME)).status, 303, 'the session of the other Carla has ended')
})

test.run()
