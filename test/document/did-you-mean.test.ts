import fc from 'fast-check'
import leven from 'leven'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { toNearest } from '../../src/document/did-you-mean.js'
import { sized } from '../support/figures.js'
import { timeOf } from '../support/times.js'
import { parse, routesOf } from './parsing.js'

/** A set that counts how often it is gone through. */
class Counted extends Set<string> {
  looks = 0
  override [Symbol.iterator](): ReturnType<Set<string>['values']> {
    this.looks++
    return super[Symbol.iterator]()
  }
}

const NUMBERS = Array.from({ length: 2_000 }, (_, number) => number)
const KNOWN = NUMBERS.slice(0, 500).map(
  (number) => `${'some-area.of-the-whole-shop.'}${number * 7919}-may-read`,
)

/** A menu of 2,000 items that differ in one line. */
function pageOf(line: (number: number) => string): string {
  const items = NUMBERS.map((number) => `  - label: Page\n    ${line(number)}\n`)
  return `version: 1\ncode: main\nname: Main\nitems:\n${items.join('')}`
}

/** The shortest of three times, in milliseconds: the others had to wait for the machine. */
function fastest(work: () => void): number {
  return Math.min(...[1, 2, 3].map(() => timeOf(work)))
}

test('The nearest word has the fewest typos, at most two fifths of its letters, then the nearest case', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'İ', '-'), maxLength: 9 })
  fc.assert(
    fc.property(word, fc.array(word, { maxLength: 6 }), (meant, known) => {
      const all = known
        .map((each) => ({ each, slips: leven(meant.toLowerCase(), each.toLowerCase()) }))
        .filter(({ each, slips }) => slips <= Math.ceil(each.length * 0.4))
      const least = Math.min(...all.map(({ slips }) => slips))
      const nearest = all.filter(({ slips }) => slips === least).map(({ each }) => each)
      const cased = Math.min(...nearest.map((each) => leven(meant, each)))
      assert.is(toNearest(meant, known), nearest.find((each) => leven(meant, each) === cased) ?? null)
    }),
    { numRuns: sized(150, 1_500) },
  )
})

test('Among words that differ only in case, the one in the written case is suggested', () => {
  assert.is(toNearest('mian', ['Main', 'main', 'MAIN']), 'main')
  assert.is(toNearest('MIAN', ['Main', 'main', 'MAIN']), 'MAIN')
})

test('Suggestions are computed only if a problem is reported', () => {
  const permissions = new Counted(KNOWN)
  const text = pageOf((number) => `url: /a\n    permissions: [${KNOWN[number % 500]}x]`)
  const { problems, omitted } = parse(text, { permissions })
  assert.equal([problems.length, omitted, permissions.looks], [50, 1_950, 50])
  assert.equal(
    problems.map(({ suggestion }) => suggestion),
    KNOWN.slice(0, 50),
  )
})

test('2,000 unknown paths against 500 routes take a few times as long as a single one', () => {
  const routes = routesOf(Object.fromEntries(KNOWN.map((path) => [path, `/${path}`])))
  const read = (unknown: number) => () =>
    parse(
      pageOf((number) => `url: /${KNOWN[number % 500]}${number < unknown ? 'x' : ''}`),
      { routes },
    )
  const { problems, omitted } = read(2_000)()
  assert.equal([problems.length, omitted, problems[0]?.suggestion], [50, 1_950, `/${KNOWN[0]}`])
  const [single, all] = [fastest(read(1)), fastest(read(2_000))]
  assert.ok(all < 10 * single, `${all} ms, and ${single} ms where one is unknown`)
})

test.run()
