// Publishes on and on, as killed.test.ts describes, once a line on its stdin says where, and which number was the last.
import { once } from 'node:events'
import { openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DRAFTED, numbered, PATHS, ROUND, toNumber } from './numbered.js'
import { openParts } from './try-publish.js'

const [line] = (await once(process.stdin, 'data')) as [Buffer]
const [dir, last] = JSON.parse(`${line}`) as [string, number]
writeSync(1, 'begins')
const { publisher, drafts } = openParts(dir)
const told = openSync(join(dir, 'told'), 'r+')
/** One call, so that no signal can come in the middle. */
const tell = (place: number, number: number): void => void writeSync(told, `${number}`.padStart(9), place * 9)

for (let number = last + 1; ; number++) {
  const draft = drafts.open('ana', DRAFTED.path, DRAFTED.text).value
  const ref = { id: draft?.id ?? '', user: 'ana', revision: null }
  const { fault: noStep } = drafts.edit(ref, toNumber(number))
  if (noStep !== null) throw new Error(noStep.reason)
  tell(0, number)
  const path = PATHS[number % PATHS.length] ?? ''
  const text = readFileSync(join(dir, 'menus', path))
  const { fault } = await publisher.publish([numbered(path, text, number)], { author: 'ana' })
  if (fault !== null) throw new Error(fault.reason)
  tell(1, number)
  if (number % ROUND === 0) drafts.discard(ref.id, 'ana')
}
