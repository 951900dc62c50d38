import { once } from 'node:events'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../../support/eventually.js'
import { figure } from '../../support/figures.js'
import { get } from '../../support/http.js'
import { bigMenu, withService } from './built-service.js'
import { getText, openSockets } from './sockets.js'

const MENUS = { 'menus/big.yaml': bigMenu('big', 2_000, 'x'.repeat(300)) }
const ABORTED = 1_000
const AT_ONCE = 50

test('D12: after 1,000 downloads that were broken off, as many descriptors are open as before', async () => {
  await withService(MENUS, async ({ url, port, descriptors }) => {
    await get(`${url}/api/menu/big`)
    const base = descriptors().length
    for (let done = 0; done < ABORTED; done += AT_ONCE) {
      const sockets = await openSockets(port, AT_ONCE)
      for (const [place, socket] of sockets.entries()) {
        socket.write(getText('/api/menu/big').repeat(1 + (place % 5)))
        // Some leave with the first bytes, some before, some without a word to the server.
        if (place % 3 === 0) await once(socket, 'data')
        if (place % 2 === 0) socket.resetAndDestroy()
        else socket.destroy()
      }
    }
    assert.is((await get(`${url}/livez`)).status, 200)
    await eventually(() =>
      assert.ok(descriptors().length <= base + 2, `${descriptors().length}, before ${base}`),
    )
    figure('1,000 aborted downloads, descriptors', `${base} before, ${descriptors().length} after`, '±2')
  })
})

test.run()
