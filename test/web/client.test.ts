import { createServer } from 'node:http'
import { type AddressInfo, BlockList } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Client, createClientOf } from '../../src/web/client.js'
import { get } from '../support/http.js'

const TRUSTED = new BlockList()
TRUSTED.addSubnet('127.0.0.0', 8, 'ipv4')
TRUSTED.addSubnet('10.0.0.0', 8, 'ipv4')
TRUSTED.addAddress('2001:db8::1', 'ipv6')

/** What a server on this machine makes of a request from this machine with these headers. */
async function clientOf(headers: readonly string[], trusted: BlockList = new BlockList()): Promise<Client> {
  const read = createClientOf(trusted)
  const server = createServer((request, response) => response.end(JSON.stringify(read(request))))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const { json } = await get(`http://127.0.0.1:${port}`, { headers: ['Host', 'x', ...headers] })
  await new Promise((resolve) => server.close(resolve))
  return json() as Client
}

const forwarded = (chain: string) => ['X-Forwarded-For', chain]

test('Without a proxy the client is at the other end of the connection', async () => {
  assert.equal(await clientOf([]), { address: '127.0.0.1', isLoopback: true })
})

test('A proxy that is not trusted says nothing, and whoever it speaks for is not on this machine', async () => {
  for (const headers of [
    forwarded('127.0.0.1'),
    forwarded('::1, 127.0.0.1'),
    forwarded('x'),
    forwarded(''),
    forwarded(','),
    ['Forwarded', 'for=127.0.0.1'],
  ])
    assert.equal(await clientOf(headers), { address: '127.0.0.1', isLoopback: false }, headers[1])
})

test('The chain of trusted proxies is read from the right, up to the first that is not trusted', async () => {
  const addressFor = async (chain: string) => (await clientOf(forwarded(chain), TRUSTED)).address
  assert.is(await addressFor('203.0.113.7'), '203.0.113.7')
  assert.is(await addressFor('198.51.100.1, 203.0.113.7, 10.1.2.3'), '203.0.113.7')
  assert.is(await addressFor('2001:db8::2, 2001:db8::1'), '2001:db8::2')
  assert.is(await addressFor('::ffff:10.0.0.1'), '10.0.0.1')
})

test('A chain that names nobody is not this machine, behind a trusted proxy either', async () => {
  for (const chain of ['', ',', ' , '])
    assert.not((await clientOf(forwarded(chain), TRUSTED)).isLoopback, chain)
})

test('A visitor who writes the header himself does not become this machine', async () => {
  for (const chain of ['127.0.0.1, 203.0.113.7', '::1,203.0.113.7', '127.0.0.1, nonsense', '127.0.0.1:80'])
    assert.not((await clientOf(forwarded(chain), TRUSTED)).isLoopback, chain)
})

test('Several headers are one chain', async () => {
  const headers = [...forwarded('127.0.0.1'), ...forwarded('203.0.113.7'), ...forwarded('10.0.0.1')]
  assert.equal(await clientOf(headers, TRUSTED), { address: '203.0.113.7', isLoopback: false })
})

test('Through trusted proxies alone a client on this machine is known as one', async () => {
  assert.equal(await clientOf(forwarded('127.0.0.1, 10.0.0.1'), TRUSTED), {
    address: '127.0.0.1',
    isLoopback: true,
  })
})

test('A Forwarded header, which nobody reads, leaves no one on this machine', async () => {
  assert.not((await clientOf(['Forwarded', 'for=203.0.113.7'], TRUSTED)).isLoopback)
})

test.run()
