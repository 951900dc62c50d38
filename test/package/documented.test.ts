import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ROOT } from '../readme/readme.js'

const TYPES = readFileSync(join(ROOT, 'dist/index.d.ts'), 'utf8')
const [, list = ''] = /^export \{(.*)\};$/m.exec(TYPES) ?? []
const exported = list.split(',').map((entry) => entry.trim().replace(/^type /, ''))

/** The doc comment right above a declaration, stars and all; null when there is none. */
function commentOf(name: string): string | null {
  const place = TYPES.search(
    new RegExp(`^(?:declare )?(?:interface|type|class|function|const) ${name}\\b`, 'm'),
  )
  assert.ok(place >= 0, `${name} is not declared`)
  const above = TYPES.slice(0, place)
  return above.endsWith('*/\n') ? above.slice(above.lastIndexOf('/**') + 3, -3) : null
}

test('Every name of the library has a doc comment that begins with a sentence', () => {
  assert.ok(['openMenus', 'TreeNode', 'ConfigurationError'].every((name) => exported.includes(name)))
  const silent = exported.filter((name) => !/^[\s*]*[A-Z`].{15,}/.test(commentOf(name) ?? ''))
  assert.equal(silent, [])
})

test('The library has no default export, and passes on no module as a whole', () => {
  assert.not.match(TYPES, /export default|export \*/)
})

test.run()
