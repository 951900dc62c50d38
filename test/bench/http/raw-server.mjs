// Plain node:http that writes one answer, whatever it is asked: that of the JSON file named by its argument.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const { status, lines, body } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
const bytes = Buffer.from(body, 'base64')
const server = createServer((_, response) => {
  response.writeHead(status, lines)
  response.end(bytes)
})
// Writes the same Keep-Alive header as ours.
server.keepAliveTimeout = 65_000
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening on http://127.0.0.1:${server.address().port}\n`)
})
process.on('SIGTERM', () => process.exit(0))
