import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Opens connections to a port of this machine, some at a time. Whoever is cut off is no error here. */
export async function openSockets(port: number, count: number, atOnce: number = 100): Promise<Socket[]> {
  const sockets: Socket[] = []
  while (sockets.length < count) {
    const some = Array.from({ length: Math.min(atOnce, count - sockets.length) }, () => openSocket(port))
    sockets.push(...(await Promise.all(some)))
  }
  return sockets
}

export async function openSocket(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => {})
  await Promise.race([once(socket, 'connect'), once(socket, 'close')])
  return socket
}

/** The text of a GET request without a body. */
export function getText(path: string, headers: readonly string[] = []): string {
  return [`GET ${path} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n')
}
