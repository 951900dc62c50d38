import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { figure, quantile, sized } from '../support/figures.js'
import { createHub } from '../support/hub.js'
import { closing, test } from '../support/test.js'
import { hexOf } from '../support/webhook-signatures.js'
import { menuPath, menuText, type OpenSite, openSite } from './sites.js'

const PUSHES = sized(8, 30)
const SERVICES = 3
const SECRET = 'the secret of the webhook'
const FILE = 'menus/main.yaml'
const BODY = '{"ref":"refs/heads/main"}'

/** Milliseconds from the end of a push until a service serves it. */
async function timeUntil({ ask }: OpenSite, label: string, since: number): Promise<number> {
  while (!(await ask(menuPath('main'))).text.includes(label)) await sleep(5)
  return performance.now() - since
}

for (const kind of ['webhook', 'polling'] as const) {
  test(`a push is served by several services after ${kind === 'webhook' ? 'a webhook' : 'a look at the branch'}`, async () => {
    const hub = closing(createHub({ [FILE]: menuText('main', 'First') }))
    const isPolling = kind === 'polling'
    const git = { remote: hub.url, interval: isPolling ? 1 : 3_600, webhook_secret_file: 'secret' }
    const prepare = (dir: string): void => writeFileSync(join(dir, 'secret'), SECRET)
    const sites: OpenSite[] = []
    for (let n = 0; n < SERVICES; n++)
      sites.push(closing(await openSite({}, { config: { storage: { git } }, watch: true, prepare })))
    const times: number[] = []
    const headers = { 'x-hub-signature-256': `sha256=${hexOf(SECRET, BODY)}` }
    for (let n = 0; n < PUSHES; n++) {
      const label = `Push ${n} by ${kind}.`
      hub.push({ [FILE]: menuText('main', label) })
      const since = performance.now()
      const serve = async (site: OpenSite): Promise<void> => {
        if (!isPolling) await site.ask('/-/webhook', { method: 'POST', body: BODY, headers })
        times.push(await timeUntil(site, label, since))
      }
      await Promise.all(sites.map(serve))
      // The next push comes at any moment between two looks.
      if (isPolling) await sleep(Math.random() * 1_000)
    }
    assert.is(times.length, PUSHES * SERVICES)
    const [p50, p95] = [quantile(times, 0.5), quantile(times, 0.95)].map(Math.round)
    figure(`push to served, ${kind}`, `p50 ${p50} ms, p95 ${p95} ms, of ${times.length}`, '2,000 ms')
  })
}

test.run()
