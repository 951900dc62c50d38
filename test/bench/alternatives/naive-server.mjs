// What a team would write by itself in an hour: menus in memory, the first context that one has, and the tree as JSON.
// node naive-server.mjs polka|fastify|express|json-server FOLDER

import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const [name = '', folder = ''] = process.argv.slice(2)
const menus = JSON.parse(readFileSync(join(folder, 'menus.json'), 'utf8'))
/** Idle connections stay open between two turns of the load. */
const KEPT = 65_000
const PATH = '/api/menu/:code'

function findTree(code, sets) {
  for (const context of JSON.parse(sets ?? '[null]')) {
    const found = menus.find((menu) => menu.code === code && isSame(menu.context, context ?? {}))
    if (found !== undefined) return found.tree
  }
  return []
}

function isSame(one, other) {
  const keys = Object.keys(one)
  return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key])
}

const STARTS = {
  polka: async () => {
    const { default: polka } = await import('polka')
    const app = polka().get(PATH, ({ params, query }, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(findTree(params.code, query['_context_sets'])))
    })
    return listen(createServer(app.handler))
  },
  express: async () => {
    const { default: express } = await import('express')
    const app = express().get(PATH, ({ params, query }, response) => {
      response.json(findTree(params.code, query['_context_sets']))
    })
    return listen(createServer(app))
  },
  fastify: async () => {
    const { default: fastify } = await import('fastify')
    const app = fastify({ keepAliveTimeout: KEPT }).get(PATH, async ({ params, query }) =>
      findTree(params.code, query['_context_sets']),
    )
    return app.listen({ port: 0, host: '127.0.0.1' })
  },
  'json-server': () => {
    const jsonServer = createRequire(join(folder, 'any.cjs'))('json-server')
    const app = jsonServer.create()
    app.use(jsonServer.router(join(folder, 'db.json')))
    return listen(createServer(app))
  },
}

function listen(server) {
  server.keepAliveTimeout = KEPT
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${server.address().port}`)),
  )
}

process.stdout.write(`listening on ${await STARTS[name]()}\n`)
process.on('SIGTERM', () => process.exit(0))
