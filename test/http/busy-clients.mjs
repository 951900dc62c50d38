import { Agent, get } from 'node:http'

// Clients in a process of their own, so that the server alone is busy: 30 at once, until one is refused.
const [, , url] = process.argv
const agent = new Agent({ keepAlive: true, maxSockets: 30 })
const until = Date.now() + 20_000
let refused = null

const ask = () =>
  new Promise((resolve, reject) => {
    get(url, { agent }, (message) => {
      message.resume()
      message.on('end', () => resolve(message))
    }).on('error', reject)
  })

async function client() {
  while (refused === null && Date.now() < until) {
    const { statusCode, headers } = await ask()
    if (statusCode === 503) refused = headers['retry-after']
  }
}

await Promise.all(Array.from({ length: 30 }, client))
process.stdout.write(String(refused))
process.exit()
