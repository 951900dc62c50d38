import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createQueryParser } from '../../src/http/query.js'
import { DEFAULT_LIMITS } from '../support/limits.js'

const QUERIES = 9_000
const TARGET_LENGTH = 15_000
const MAX_GROWTH = 30_000_000

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function usedMemory(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

test('A query that is remembered does not keep the request target in memory that it was a part of', () => {
  const toEffectiveLocale = () => 'en'
  const parseQuery = createQueryParser({ limits: DEFAULT_LIMITS, keeps: true }, toEffectiveLocale)
  const toQuery = (place: number) => {
    const end = `?_locale=en&utm_source=${place}`
    return Buffer.from(end.padStart(TARGET_LENGTH, '/'))
      .toString('latin1')
      .slice(1 - end.length)
  }
  const before = usedMemory()
  for (let place = 0; place < QUERIES; place++) {
    parseQuery(toQuery(place))
    parseQuery(toQuery(place))
  }
  const growth = usedMemory() - before
  assert.is(parseQuery(toQuery(0)), parseQuery(toQuery(0)), 'all of them are remembered')
  assert.ok(growth < MAX_GROWTH, `${growth} bytes for ${QUERIES} queries`)
})

test.run()
