// Adds items to DIR/menus/main.yaml, one publish each. Arguments: DIR, the start of their ids, how many.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { editOf } from './publishing.js'
import { openParts } from './try-publish.js'

const [dir = '', start = '', count] = process.argv.slice(2)
const { publisher } = openParts(dir)
for (let at = 0; at < Number(count); ) {
  const id = `${start}${at}`
  const text = readFileSync(join(dir, 'menus/main.yaml'), 'utf8')
  const value = { id, label: `Item ${id}`, url: `/${id}` }
  const edit = editOf('main.yaml', text, { op: 'add', path: '/items/-', value })
  const { fault } = await publisher.publish([edit], { author: start })
  if (fault === null) at++
  else if (fault.reason !== 'busy') throw new Error(fault.reason)
}
