import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { type ParsedQuery, parseQuery } from '../../src/http/menu-target.js'
import { figure, sized } from '../support/figures.js'
import { DEFAULT_LIMITS } from '../support/limits.js'
import { closing, test } from '../support/test.js'
import { timeOf } from '../support/times.js'
import { menuText, openSite } from './sites.js'
import { slowQueries } from './slow-queries.js'

const PROMISED_MS = 2
const TIMES = 5
const TRIES = 6

/** Gives a locale back as it came. */
const parse = (query: string) => parseQuery(query, DEFAULT_LIMITS, (tag) => tag)
const slow = slowQueries(DEFAULT_LIMITS.query_bytes)

/** Holds the slowest of some queries against what is promised. */
function assertSlowest(what: string, took: ReadonlyMap<string, number>): void {
  const [name, ms] = [...took].sort(([, one], [, other]) => other - one)[0] ?? ['', Number.NaN]
  figure(`${what}, the slowest of ${took.size} queries of 8 KB`, `${ms.toFixed(2)} ms`, `${PROMISED_MS} ms`)
  assert.ok(ms <= 10 * PROMISED_MS, `${name}: ${ms} ms`)
}

test('D25: a query that is made to be slow is read within 2 ms', () => {
  const took = new Map<string, number>()
  for (const [name, query] of slow) {
    let least = Number.POSITIVE_INFINITY
    for (let left = TRIES; left > 0 && (left === TRIES || least > PROMISED_MS); left--) {
      const ms = timeOf(() => {
        for (let time = 0; time < TIMES; time++) parse(query)
      })
      least = Math.min(least, ms / TIMES)
    }
    took.set(name, least)
  }
  assertSlowest('reading a query', took)
})

test('D25: a request with a query made to be slow gets 200 or 400, and delays no other', async () => {
  const { ask } = closing(await openSite({ 'main.yaml': menuText('main', 'Home') }))
  const took = new Map<string, number>()
  for (const [name, query] of slow) {
    // What no client would send unescaped is among those above.
    if (!/^[!-~]*$/.test(query)) continue
    let least = Number.POSITIVE_INFINITY
    for (let left = TRIES; left > 0 && (left === TRIES || least > PROMISED_MS); left--) {
      const [begun, before] = [performance.now(), process.cpuUsage()]
      const { status } = await ask(`/api/menu/main?${query.slice(0, -1)}${left}`)
      const { user, system } = process.cpuUsage(before)
      least = Math.min(least, performance.now() - begun, (user + system) / 1_000)
      assert.ok([200, 400].includes(status), `${name}: ${status}`)
    }
    took.set(name, least)
  }
  assertSlowest('answering a query', took)
})

const SCRAPS = [
  '_locale',
  '_context_sets',
  '%5Flocale',
  '_lo%63ale',
  '%5f%63ontext_sets',
  '_local',
  'en',
  '=',
  '=',
  '&',
  '&',
  '+',
  '%',
  '%F',
  '%41',
  '%zz',
]
const BYTES = [
  '%C3%A9',
  '%E2%82%AC',
  '%F0%9F%98%80',
  '%C3',
  '%E2%82',
  '%ED%A0%80',
  '%C0%80',
  '%F4%90%80%80',
  '%26',
  '%3D',
  '%2B',
  '%00',
  '\xe9',
  '?',
  '#',
  ';',
]
const anyQuery = fc
  .array(fc.oneof(fc.constantFrom(...SCRAPS, ...BYTES), fc.string({ unit: 'binary-ascii', maxLength: 3 })), {
    maxLength: 20,
  })
  .map((parts) => parts.join(''))

/** The raw values of a parameter, as another parser splits a query and tells names. */
function rawValues(query: string, name: string): string[] {
  const pairs = query.split('&').map((pair) => /^([^=]*)=?(.*)$/s.exec(pair) ?? [])
  // With a `&` in front, because URLSearchParams drops a leading `?`.
  return pairs
    .filter(([pair = '']) => new URLSearchParams(`&${pair}`).has(name))
    .map(([, , value = '']) => value)
}

/** A value, or the offset of the first `%` that begins nothing which the engine can decode. */
function decoded(raw: string): string | number {
  for (let at = raw.indexOf('%'); at !== -1; at = raw.indexOf('%', at)) {
    const length = [3, 6, 9, 12].find((each) => isCharacter(raw.slice(at, at + each)))
    if (length === undefined) return at
    at += length
  }
  return decodeURIComponent(raw.replaceAll('+', ' '))
}

function isCharacter(text: string): boolean {
  try {
    return [...decodeURIComponent(text)].length === 1
  } catch {
    return false
  }
}

/** What a query may be told to be, by the oracle: its locale; else one of its problems, with the position. */
function expected(query: string): readonly (readonly unknown[])[] {
  const problems: (readonly unknown[])[] = []
  const values = ['_locale', '_context_sets'].map((name) => {
    const [first = '', second] = rawValues(query, name)
    const value = decoded(first)
    if (typeof value === 'number') problems.push(['malformed-percent', name, value])
    else if (second !== undefined) problems.push(['repeated-parameter', name, undefined])
    return value
  })
  return problems.length > 0 ? problems : [['fine', values[0] === '' ? null : values[0]]]
}

function told(parsed: ParsedQuery): readonly unknown[] {
  if (parsed.fault === null) return ['fine', parsed.value.locale]
  const { code, members } = parsed.fault
  return [code, members?.['parameter'], members?.['position']]
}

test('A query is read as URLSearchParams and decodeURIComponent read it, for every text', () => {
  fc.assert(
    fc.property(anyQuery, (query) => {
      const parsed = told(parse(query))
      // Whether the value is a list of contexts is another question.
      if (parsed[0] === 'bad-context-sets') return
      const possible = expected(query).map((each) => JSON.stringify(each))
      assert.ok(possible.includes(JSON.stringify(parsed)), `${JSON.stringify(parsed)}, not ${possible}`)
    }),
    { numRuns: sized(2_000, 20_000) },
  )
})

test('A malformed % is refused in the values of our parameters only', () => {
  for (const query of ['%', '%=1', 'other=%', '%FF&_locale=es', '_local%=x', 'x=%zz&_locale=es&%5Flocal%=y'])
    assert.is(parse(query).fault, null, query)
  for (const query of ['_locale=%', '%5Flocale=%', '_context_sets=%FF', 'a&_locale=%zz&b'])
    assert.is(parse(query).fault?.code, 'malformed-percent', query)
})

test('An encoded name is the name', () => {
  assert.equal(told(parse('%5F%6c%6Fcale=es')), ['fine', 'es'])
  assert.equal(told(parse('%5Flocale=es&_locale=en')), ['repeated-parameter', '_locale', undefined])
  for (const name of [
    '%5locale',
    '%locale',
    '5flocale',
    '%5glocale',
    '%+1_locale',
    '% 1locale',
    '%255Flocale',
  ])
    assert.equal(told(parse(`${name}=es`)), ['fine', null], name)
})

test.run()
