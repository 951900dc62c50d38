// Run as a script: instrumented.program.ts before|after|never FOLDER. Prints what came of asking a mounted handler for a menu in
// a process whose answers a tool measures, which wraps Node's own method before the handler is loaded, or after that.

import { createServer, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { get } from '../support/http.js'

const [when = '', folder = ''] = process.argv.slice(2)

/** How many headers the tool was given with the head of an answer. */
const handed: number[] = []
function instrument(): void {
  const { writeHead } = ServerResponse.prototype
  ServerResponse.prototype.writeHead = function (this: ServerResponse, ...given: unknown[]) {
    handed.push(Object.keys(Object(given.at(-1))).length)
    this.setHeader('Server-Timing', 'tool')
    return Reflect.apply(writeHead, this, given)
  } as typeof writeHead
}

if (when === 'before') instrument()
const { openMenus } = await import('../../src/index.js')
const menus = await openMenus({ folder, environment: {}, watch: false })
if (when === 'after') instrument()
const server = createServer((request, response) => menus.handler(request, response))
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as AddressInfo
const answer = await get(`http://127.0.0.1:${port}/api/menu/main`)
console.log(JSON.stringify({ status: answer.status, headers: answer.headers, handed }))
server.close()
await menus.close()
