import { createServer } from 'node:http'
import { openHelpCentre } from './help-centre.mjs'

const centre = await openHelpCentre()
const server = createServer(centre.handler)
server.listen(Number(process.env.PORT ?? 3001), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`)
})

for (const signal of ['SIGTERM', 'SIGINT'])
  process.once(signal, () => {
    server.close(() => centre.close())
    // Browsers open connections ahead; Node waits a minute for the first request on each.
    setTimeout(() => server.closeAllConnections(), 5_000).unref()
  })
