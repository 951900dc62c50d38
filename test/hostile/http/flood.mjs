import { connect } from 'node:net'

// A client in a process of its own that sends requests ahead, about 1 MB a second on each of its connections:
//   node flood.mjs PORT CONNECTIONS SECONDS KIND
// KIND is what it does beside: `reads` the answers, or `deaf`, or `returns` on a new connection five times a second, or
// `hostless`, whose requests are too short to be answered by anything but a refusal.
const [, , port, connections, seconds, kind] = process.argv

const EVERY_MS = 50
const BURST = 50_000
/** What waits at the client: the server does not take more. */
const MAX_WAITING = 1_000_000

const head = kind === 'hostless' ? 'GET / HTTP/1.1\r\n\r\n' : 'GET /api/menu/main HTTP/1.1\r\nHost: x\r\n\r\n'
const burst = Buffer.from(head.repeat(BURST / head.length))

function open() {
  let isRefused = false
  const socket = connect(Number(port), '127.0.0.1').on('error', ({ code }) => {
    isRefused = code === 'ECONNREFUSED'
  })
  if (kind === 'deaf') socket.pause()
  else socket.resume()
  const writing = setInterval(() => {
    if (socket.writable && socket.writableLength < MAX_WAITING) socket.write(burst)
  }, EVERY_MS)
  if (kind === 'returns') setTimeout(() => socket.destroy(), 200)
  socket.once('close', () => {
    clearInterval(writing)
    // A service that no longer listens would be asked as fast as this process can.
    if (!isRefused) open()
  })
}

for (let count = 0; count < Number(connections); count++) open()
setTimeout(() => process.exit(), Number(seconds) * 1_000)
