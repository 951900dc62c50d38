import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
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
  // From Node 24 on, one collection leaves some to the next.
  for (const _ of [1, 2]) collectGarbage()
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

test('A reader that remembers reads any text as one that does not, whatever came before', () => {
  const toEffectiveLocale = (tag: string) => tag
  const options = { settings: settingsOf({}), toEffectiveLocale }
  const plain = createTargetReader({ ...options, settings: { ...options.settings, keeps: false } })
  // A host may pass a decoded target. In one byte each, the first three letters are the same.
  const texts = fc.string({
    unit: fc.constantFrom('K', '\u014b', '\ud84b', '/', '?', '_locale='),
    maxLength: 4,
  })
  fc.assert(
    fc.property(fc.array(texts, { maxLength: 20 }), (ends) => {
      const read = createTargetReader(options)
      for (const end of [...ends, ...ends, ...ends]) {
        const target = `/api/menu/${end}`
        assert.equal(read(target), plain(target), JSON.stringify(target))
      }
    }),
  )
})

test.run()
