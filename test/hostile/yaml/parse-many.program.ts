// Parses made texts one after the other, in a process that may be ended by them: a file holds the place of the last one.
// Run as a script: parse-many.program.ts KIND SEED FIRST COUNT [FILE]; with a COUNT of 1 it repeats a single try.
import { openSync, writeSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import type { Limits } from '../../../src/model/limits.js'
import { timeOf } from '../../support/times.js'
import { filled } from './filled.js'
import { mutant } from './mutants.js'
import { nested } from './nested.js'
import { prototypes } from './prototypes.js'
import { createRandom, type Random } from './random.js'
import { type Judged, judge } from './sound.js'

/** A text that was made, and what of it cannot be. */
interface Try {
  readonly name: string
  readonly bytes: Uint8Array
  readonly limits?: Limits
  readonly isNoMenu: boolean
}

const KINDS: Readonly<Record<string, (random: Random, place: number) => Try>> = {
  mutants: (random) => ({ name: 'a mutant', bytes: mutant(random), isNoMenu: false }),
  filled: (_, place) => ({ ...filled(place), isNoMenu: false }),
  nested: (random) => {
    const { text, limits, tooDeep, style, depth } = nested(random)
    return { name: `${style}, ${depth} deep`, bytes: Buffer.from(text), limits, isNoMenu: tooDeep }
  },
}

const [kind = '', seed = '', first = '', count = '', mark = '/dev/null'] = process.argv.slice(2)
const make = KINDS[kind]
if (make === undefined) throw new Error(`There is no kind ${kind}.`)
const before = prototypes()
// Written again and again, where a pipe would wake its reader each time.
const marked = openSync(mark, 'w')
const sorts: Record<string, number> = {}
let slowest = { milliseconds: 0, name: '' }
for (let place = Number(first); place < Number(first) + Number(count); place++) {
  writeSync(marked, `${place}\n`, 0)
  const random = createRandom(Number(seed), place)
  const { name, bytes, limits, isNoMenu } = make(random, place)
  let judged: Judged = { file: null, fault: null }
  const milliseconds = timeOf(() => {
    judged = judge(bytes, limits)
  })
  const { file, fault } = judged
  if (milliseconds > slowest.milliseconds) slowest = { milliseconds, name: `${name} (${place})` }
  const sort = file === null ? 'thrown' : file.menu !== null ? 'served' : (file.problems[0]?.code ?? '')
  const wrong = fault ?? (isNoMenu && sort === 'served' ? 'this is taken for a menu' : null)
  if (wrong !== null) writeSync(1, `fault ${place} ${name}: ${wrong.replaceAll('\n', ' | ')}\n`)
  sorts[sort] = (sorts[sort] ?? 0) + 1
}
if (!isDeepStrictEqual(prototypes(), before)) writeSync(1, 'fault: the prototypes have changed\n')
writeSync(1, `end ${JSON.stringify({ sorts, slowest })}\n`)
