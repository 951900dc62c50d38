import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { exchange, statusesOf } from '../http/raw.js'
import type { OpenSite } from '../http/sites.js'
import { figure } from '../support/figures.js'
import { test } from '../support/test.js'
import { ADMIN, API, openForScript } from './managing.js'

const SIZE = 8_000_000
/** Bytes a second. */
const RATE = 500_000
const STEPS_A_SECOND = 10

const headOf = ({ url }: OpenSite, length: number): string =>
  [
    ...[`POST ${API}/import HTTP/1.1`, `host: ${new URL(url).host}`, `authorization: Bearer ${ADMIN}`],
    ...['content-type: application/json', `content-length: ${length}`, 'connection: close', '', ''],
  ].join('\r\n')

/** Sends a body of spaces at a steady rate; answers what comes back. */
async function upload(site: OpenSite): Promise<string> {
  const socket: Socket = connect(Number(new URL(site.url).port), '127.0.0.1').on('error', () => {})
  let text = ''
  socket.setEncoding('latin1').on('data', (part: string) => (text += part))
  const ended = new Promise((resolve) => socket.once('close', resolve))
  socket.write(headOf(site, SIZE))
  const part = ' '.repeat(RATE / STEPS_A_SECOND)
  for (let sent = 0; sent < SIZE && !socket.destroyed; sent += part.length) {
    socket.write(part)
    await sleep(1_000 / STEPS_A_SECOND)
  }
  await ended
  return text
}

test('D13, D14: a large body has the time that it needs, and one that comes byte by byte is ended with a reason', async () => {
  const [, site] = await openForScript()
  const begun = performance.now()
  const drops = Array.from({ length: 120 }, () => ' ')
  const [uploaded, slow] = await Promise.all([
    upload(site).then((text) => ({ text, took: performance.now() - begun })),
    exchange(site.url, headOf(site, 1_000), { within: 60_000, every: drops }),
  ])
  figure('8 MB at 500 KB/s', `${Math.round(uploaded.took)} ms`, 'taken')
  assert.match(uploaded.text, /^HTTP\/1\.1 422 [\s\S]*"code":"import-refused"/)
  figure('a body of two bytes a second: ended', `${Math.round(slow.milliseconds)} ms`, '15,000 ms')
  assert.equal(statusesOf(slow), [408])
  assert.match(slow.text, '"code":"body-too-slow"')
  assert.ok(slow.milliseconds < 30_000, `${slow.milliseconds} ms`)
})

test.run()
