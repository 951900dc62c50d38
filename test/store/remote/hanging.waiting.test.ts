import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { menuText } from '../../http/sites.js'
import { eventually } from '../../support/eventually.js'
import { timesFigure } from '../../support/figures.js'
import { openGitHost } from '../../support/git-host.js'
import { closing, test } from '../../support/test.js'
import { attempt, folderForClones, placeIn } from './following.js'

test('a host that accepts connections and never answers delays neither a start, nor publishes, nor the end', async () => {
  const host = closing(await openGitHost({ 'menus/main.yaml': menuText('main', 'One') }, 'token'))
  const folder = folderForClones()
  const tokenFile = join(folder.dir, 'token')
  writeFileSync(tokenFile, 'token')
  const place = placeIn(folder, { url: host.url, tokenFile })
  const first = await attempt(place)
  const commit = first.remote?.state().commit
  await first.remote?.close()
  host.hang(true)
  const begun = performance.now()
  const { remote, events } = await attempt(place)
  timesFigure('a start while the host hangs', [performance.now() - begun], '10 s')
  assert.is(remote?.state().commit, commit)
  assert.is(remote?.state().fault, 'it does not respond')
  assert.is(events.filter(({ event }) => event === 'remote_unreachable').length, 1)
  // A publish does not wait for the check of the branch that is in progress.
  let wasInTurn = false
  await remote?.inTurn(async () => {
    wasInTurn = true
  })
  assert.ok(wasInTurn)
  host.hang(false)
  const next = host.hub.push({ 'menus/main.yaml': menuText('main', 'Two') })
  await eventually(async () => {
    await remote?.follow()
    assert.is(remote?.state().commit, next)
  })
  assert.is(remote?.state().fault, null)
  host.hang(true)
  const late = remote?.follow()
  await remote?.close()
  assert.type((await late)?.fault, 'string')
})

test.run()
