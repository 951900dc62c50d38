import { createServer } from 'node:http'
import { openShop } from './shop.mjs'

const { PORT = '3000', TODAY } = process.env

// TODAY shows the shop as it is on another day: the main menu has a winter variant.
const shop = await openShop({ now: () => new Date(TODAY ?? Date.now()) })
const server = createServer(shop.app)
server.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`)
})

for (const signal of ['SIGTERM', 'SIGINT'])
  process.once(signal, () => {
    server.close(() => shop.close())
    // Browsers open connections ahead; Node waits a minute for the first request on each.
    setTimeout(() => server.closeAllConnections(), 5_000).unref()
  })
