import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ROOT } from '../readme/readme.js'

/** The declarations of an entry of the package. */
function typesOf(entry: string): string {
  return readFileSync(join(ROOT, `dist/${entry}.d.ts`), 'utf8')
}

/** The doc comment right above a declaration, stars and all; null when there is none. */
function commentOf(types: string, name: string): string | null {
  const place = types.search(
    new RegExp(`^(?:declare )?(?:interface|type|class|function|const) ${name}\\b`, 'm'),
  )
  assert.ok(place >= 0, `${name} is not declared`)
  const above = types.slice(0, place)
  return above.endsWith('*/\n') ? above.slice(above.lastIndexOf('/**') + 3, -3) : null
}

for (const [entry, known] of [
  ['index', ['openMenus', 'TreeNode', 'ConfigurationError']],
  ['client', ['createMenuClient', 'TreeNode', 'MenuError']],
] as const) {
  test(`Every name of ${entry} has a doc comment that begins with a sentence`, () => {
    const types = typesOf(entry)
    const [, list = ''] = /^export \{(.*)\};$/m.exec(types) ?? []
    const exported = list.split(',').map((each) => each.trim().replace(/^type /, ''))
    assert.ok(known.every((name) => exported.includes(name)))
    const silent = exported.filter((name) => !/^[\s*]*[A-Z`].{15,}/.test(commentOf(types, name) ?? ''))
    assert.equal(silent, [])
  })
}

test('The library has no default export, and passes on no module as a whole', () => {
  for (const entry of ['index', 'client']) assert.not.match(typesOf(entry), /export default|export \*/)
})

test.run()
