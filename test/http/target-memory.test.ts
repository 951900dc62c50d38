import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createTargetReader } from '../../src/http/menu-target.js'
import { settingsOf } from '../service/services.js'

const TARGETS = 9_000
const TEXT_LENGTH = 15_000
const MAX_GROWTH = 30_000_000

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function usedMemory(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

test('A target that is remembered does not keep the text in memory that it was a part of', () => {
  const read = createTargetReader({ settings: settingsOf({}), toEffectiveLocale: () => 'en' })
  const toTarget = (place: number) => {
    const end = `/api/menu/main?_locale=en&utm_source=${place}`
    return Buffer.from(end.padStart(TEXT_LENGTH, '/')).toString('latin1').slice(-end.length)
  }
  const before = usedMemory()
  for (let place = 0; place < TARGETS; place++) {
    read(toTarget(place))
    read(toTarget(place))
  }
  const growth = usedMemory() - before
  assert.is(read(toTarget(0)), read(toTarget(0)), 'all of them are remembered')
  assert.ok(growth < MAX_GROWTH, `${growth} bytes for ${TARGETS} targets`)
})

test.run()
