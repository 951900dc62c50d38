import { once } from 'node:events'
import { createServer, type RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { closing } from './test.js'

/** Has a server, or one with this listener, listen on a free port until the test is over; gives its address. */
export async function listening(listener: Server | RequestListener): Promise<string> {
  const server = listener instanceof Server ? listener : createServer(listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  closing({ close })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
