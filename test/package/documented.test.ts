import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ROOT } from '../readme/readme.js'

const TYPES = join(ROOT, 'dist/types/src')
const INDEX = readFileSync(join(TYPES, 'index.d.ts'), 'utf8')

/** Where each name that is imported or passed on is declared, by name: `./http/handler.js`. */
const origins = new Map<string, string>()
const exported = new Set<string>()
for (const [, word, list = '', origin] of INDEX.matchAll(
  /^(import|export) (?:type )?\{([^}]*)\}(?: from '([^']+)')?;$/gm,
)) {
  for (const name of list.split(',').map((entry) => entry.trim().replace(/^type /, ''))) {
    if (origin !== undefined) origins.set(name, origin)
    if (word === 'export') exported.add(name)
  }
}
const DECLARED = /^export (?:declare )?(?:function|const|class|interface|type) (\w+)/gm
for (const [, name = ''] of INDEX.matchAll(DECLARED)) exported.add(name)

/** The doc comment right above a declaration, stars and all; null when there is none. */
function commentOf(name: string): string | null {
  const origin = origins.get(name) ?? './index.js'
  const text = readFileSync(join(TYPES, origin.replace(/\.js$/, '.d.ts')), 'utf8')
  const word = '(?:interface|type|class|function|const)'
  const place = text.search(new RegExp(`^export (?:declare )?${word} ${name}\\b`, 'm'))
  assert.ok(place >= 0, `${name} is not declared in ${origin}`)
  const above = text.slice(0, place)
  return above.endsWith('*/\n') ? above.slice(above.lastIndexOf('/**') + 3, -3) : null
}

test('Every name of the library has a doc comment that begins with a sentence', () => {
  assert.ok(exported.has('openMenus') && exported.has('TreeNode') && exported.has('ConfigurationError'))
  const silent = [...exported].filter((name) => !/^[\s*]*[A-Z`].{15,}/.test(commentOf(name) ?? ''))
  assert.equal(silent, [])
})

test('The library has no default export, and passes on no module as a whole', () => {
  assert.not.match(INDEX, /export default|export \*/)
})

test.run()
