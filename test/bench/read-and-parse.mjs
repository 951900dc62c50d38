// The floor of loading: reads and parses every file below a folder, JSON or YAML, and answers requests with 200 if asked to.
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'

const [folder = '.', serve] = process.argv.slice(2)
const parse = folder === 'json' ? JSON.parse : (await import('yaml')).parse
const menus = new Map()
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue
  const menu = parse(readFileSync(join(entry.parentPath, entry.name), 'utf8'))
  menus.set(menu.code, menu)
}
if (serve !== undefined) {
  const server = createServer((_, response) => response.end(JSON.stringify(menus.get('menu-0'))))
  server.listen(0, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${server.address().port}`))
  process.on('SIGTERM', () => process.exit(0))
}
