import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { importFaulty } from '../support/faulty-files.js'
import { ADMIN, codeOf, draftOf, MENU, renamed, scriptOf, textOf } from './managing.js'

const { withSite } = await importFaulty<typeof import('../http/sites.js')>(
  new URL('../http/sites.ts', import.meta.url).href,
)

const FAULTS = [
  ['writeFileSync', { code: 'ENOSPC', isShort: true }, '507 no-space'],
  ['writeFileSync', { code: 'EDQUOT' }, '507 no-space'],
  ['linkSync', { code: 'EROFS' }, '503 read-only'],
  ['renameSync', { code: 'EACCES' }, '503 read-only'],
  ['fchmodSync', { code: 'EMFILE' }, '503 not-written'],
  ['fsyncSync', { code: 'EIO' }, '503 not-written'],
] as const

test('B3, B4 and B5: what the disk refuses is 507 or 503, the text and the draft stay, and later it is published', async () => {
  await withSite({ 'main.yaml': MENU }, { adminToken: ADMIN, hasDashboard: true }, async (site) => {
    const script = scriptOf(site)
    const draft = await draftOf(script, renamed('Front'))
    for (const [failing, fault, expected] of FAULTS) {
      globalThis.injectFileFault = (call) => (call === failing ? fault : null)
      const answer = await script('POST', `${draft}/publish`)
      globalThis.injectFileFault = null
      assert.is(codeOf(answer), expected, `${failing} ${fault.code}`)
      assert.not.match(answer.text, site.folder.dir)
      assert.is(textOf(site), MENU)
      const left = readdirSync(join(site.folder.dir, 'menus'))
      assert.equal(left, ['main.yaml'])
      assert.is((await script('GET', draft)).status, 200)
    }
    assert.is((await script('POST', `${draft}/publish`)).status, 200)
    assert.match(textOf(site), 'name: Front ')
  })
})

test.run()
