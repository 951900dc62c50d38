import { renameSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { menuText } from '../../http/sites.js'
import { eventually } from '../../support/eventually.js'
import { createHub, type Hub } from '../../support/hub.js'
import { closing, test } from '../../support/test.js'
import { folderForClones, opened, placeIn } from './following.js'

const DRAFTS = '+refs/menuscript/drafts/*:refs/menuscript/fetched/*'

function hubWith(): Hub {
  return closing(createHub({ 'menus/main.yaml': menuText('main', 'One') }))
}

test('while only the branch is missing, fetches of drafts do not look for it before its next turn', async () => {
  const hub = hubWith()
  const remote = await opened(placeIn(folderForClones(), hub))
  const { commit } = remote.state()
  hub.git('update-ref', '-d', 'refs/heads/main')
  assert.type((await remote.follow()).fault, 'string')
  hub.git('update-ref', 'refs/heads/main', commit)
  for (let look = 0; look < 5; look++) assert.is((await remote.fetch(DRAFTS)).fault, null)
  assert.type(remote.state().fault, 'string')
  assert.is((await remote.follow()).fault, null)
  assert.is(remote.state().fault, null)
})

test('a fetch of drafts that succeeds again has the branch followed at once', async () => {
  const hub = hubWith()
  const remote = await opened(placeIn(folderForClones(), hub))
  renameSync(hub.url, `${hub.url}.away`)
  assert.type((await remote.follow()).fault, 'string')
  assert.type((await remote.fetch(DRAFTS)).fault, 'string')
  renameSync(`${hub.url}.away`, hub.url)
  assert.is((await remote.fetch(DRAFTS)).fault, null)
  await eventually(() => assert.is(remote.state().fault, null))
})

test.run()
