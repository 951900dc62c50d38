import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Context } from '../../../src/model/menu.js'
import type { ExplainedCandidate } from '../../../src/service/explain/explanation.js'
import { HookError, type Policies } from '../../../src/service/hooks.js'
import { snapshotOf } from '../../support/snapshot-of.js'
import { assertTime, timeOf } from '../../support/times.js'
import { yaml } from '../../support/yaml.js'
import { type Asked, explainItems, explainOn } from './explaining.js'

// Section 3 of the contract: why which menu answers.

/** A small menu file; the context is on its line 4. */
function variant(code: string, context: Context = {}, name = `Menu ${code}`): string {
  return yaml`
    version: 1
    code: ${code}
    name: ${name}
    context: ${JSON.stringify(context)}
    items:
      - { label: Home, url: / }
  `
}

const SITE = {
  'footer.yaml': variant('footer'),
  'main.yaml': variant('main'),
  'main.3.yaml': variant('main', { partnerId: 3 }),
  'main.3-pro.yaml': variant('main', { partnerId: 3, plan: 'pro' }),
  'only.yaml': variant('only', { id: 1 }),
  'empty.yaml': 'version: 1\ncode: empty\nname: Empty\ncontext: { a: null }\nitems: []\n',
}

/** How the candidates of a request fared, in short, and the file that answers. */
function fared(asked: Asked): { readonly path: string | null; readonly outcomes: readonly string[] } {
  const { menu, candidates } = explainOn(SITE, asked)
  return { path: menu?.path ?? null, outcomes: candidates.map(({ outcome }) => outcome) }
}

/** The only candidate of a request. */
function candidateOf(asked: Asked): ExplainedCandidate {
  const { candidates } = explainOn(SITE, asked)
  const [candidate] = candidates
  if (candidate === undefined || candidates.length !== 1) throw new Error('There is not one candidate.')
  return candidate
}

test('Without a hook the code is the requested one', () => {
  const { code } = explainOn(SITE)
  assert.equal([code.asked, code.resolved], ['main', 'main'])
  assert.match(code.why, 'as requested')
})

test('A code that resolveMenuCode changed is explained with both codes and the hook', () => {
  const resolveMenuCode: Policies['resolveMenuCode'] = (_, hint) => (hint === 'side' ? 'footer' : hint)
  const changed = explainOn(SITE, { code: 'side', policies: { resolveMenuCode } })
  assert.equal(
    [changed.code.asked, changed.code.resolved, changed.menu?.path],
    ['side', 'footer', 'footer.yaml'],
  )
  assert.match(changed.code.why, /resolveMenuCode chose/)
  const left = explainOn(SITE, { policies: { resolveMenuCode } }).code
  assert.is(left.resolved, 'main')
  assert.match(left.why, /resolveMenuCode did not change/)
})

test('A code or a viewer that a hook does not give is the error of the request itself', () => {
  const fault = (): never => {
    throw new Error('secret')
  }
  for (const hook of ['resolveMenuCode', 'resolveViewer'] as const) {
    assert.throws(
      () => explainOn(SITE, { policies: { [hook]: fault } }),
      (thrown: unknown) => thrown instanceof HookError && thrown.hook === hook,
    )
  }
})

test('An unknown code is reported with a suggestion, and explains no item', () => {
  const { menu, items, candidates } = explainOn(SITE, { code: 'mian' })
  assert.equal([menu, items], [null, []])
  assert.is(candidates[0]?.outcome, 'lost')
  assert.match(candidates[0]?.why ?? '', /"mian".*did you mean "main"\?/)
})

test('A code that differs in case only is another one, and the existing one is suggested', () => {
  const { outcome, why } = candidateOf({ code: 'Main' })
  assert.is(outcome, 'lost')
  assert.match(why, 'did you mean "main"?')
})

test('A code that resembles none of ours is reported with the existing codes', () => {
  for (const code of ['administration-of-users', '__proto__', 'constructor', 'toString']) {
    const { why } = candidateOf({ code })
    assert.ok(why.includes(JSON.stringify(code)), why)
    for (const known of ['footer', 'main', 'only', 'empty']) assert.match(why, known)
    assert.not.match(why, 'did you mean')
  }
  assert.match(explainOn({}).candidates[0]?.why ?? '', 'there is no menu at all')
})

test('Without context sets, the menu without a context answers, as the explanation shows', () => {
  const { menu, candidates } = explainOn(SITE)
  assert.is(menu?.path, 'main.yaml')
  assert.is(candidates.length, 1)
  const { context, outcome, why } = candidateOf({})
  assert.equal([context, outcome], [{}, 'won'])
  assert.match(why, /no context sets.*without a context/)
})

test('Without context sets, a code that has only variants loses, and its contexts are listed', () => {
  const { outcome, why } = candidateOf({ code: 'only' })
  assert.is(outcome, 'lost')
  assert.match(why, /no only without a context exists.*\{id: 1\}/)
})

test('No context is a candidate like any other: it wins at its place in the list', () => {
  const none = {}
  assert.equal(fared({ contexts: [{ partnerId: 9 }, none] }), {
    path: 'main.yaml',
    outcomes: ['lost', 'won'],
  })
  assert.equal(fared({ contexts: [none, { partnerId: 3 }] }), {
    path: 'main.yaml',
    outcomes: ['won', 'not-tried'],
  })
  const { why } = candidateOf({ contexts: [none] })
  assert.not.match(why, 'no context sets')
})

test('The first candidate with an equal context wins, and those behind it were not tried', () => {
  const contexts = [{ partnerId: 9 }, { partnerId: 3 }, { plan: 'pro', partnerId: 3 }, {}]
  const { menu, candidates } = explainOn(SITE, { contexts })
  assert.is(menu?.path, 'main.3.yaml')
  assert.equal(
    candidates.map(({ outcome }) => outcome),
    ['lost', 'won', 'not-tried', 'not-tried'],
  )
  assert.equal(
    candidates.map(({ context }) => context),
    contexts,
  )
  assert.match(candidates[1]?.why ?? '', 'first')
  assert.match(candidates[2]?.why ?? '', 'an earlier candidate won')
})

test('The order of keys does not count, and 1.0 is 1', () => {
  assert.is(fared({ contexts: [{ plan: 'pro', partnerId: 3 }] }).path, 'main.3-pro.yaml')
  assert.is(fared({ contexts: [JSON.parse('{"partnerId": 3.0}')] }).path, 'main.3.yaml')
  assert.is(fared({ code: 'empty', contexts: [{ a: null }] }).path, 'empty.yaml')
})

/** What is nearly equal to a context of the file, with what keeps it from being equal. */
const NEARLY: readonly (readonly [code: string, sent: Context, said: RegExp])[] = [
  ['only', { id: '1' }, /\{id: 1\} of only\.yaml:\d+.* id is the number 1, not the string "1"/],
  ['only', { id: true }, /id is the number 1, not true/],
  ['only', { id: 2 }, /id is the number 1, not the number 2/],
  ['only', { id: null }, /id is the number 1, not null/],
  ['only', { id: 1, plan: 'pro' }, /it has no plan/],
  ['main', { partnerId: 3, plan: 'free' }, /plan is the string "pro", not the string "free"|it has no plan/],
  ['main', { plan: 'pro' }, /it has partnerId, which was not sent/],
  ['empty', {}, /no empty without a context exists.*\{a: null\}/],
  ['empty', { a: 'null' }, /a is null, not the string "null"/],
]

for (const [code, sent, said] of NEARLY) {
  test(`${JSON.stringify(sent)} is not equal to the contexts of ${code}, and the explanation shows why not`, () => {
    const { outcome, why } = candidateOf({ code, contexts: [sent] })
    assert.is(outcome, 'lost')
    assert.match(why, said)
  })
}

test('Keys that JavaScript has a meaning of its own for are compared like any other', () => {
  const files = { 'main.yaml': variant('main', JSON.parse('{"__proto__": 1}')) }
  const explain = (context: string) => explainOn(files, { contexts: [JSON.parse(context)] })
  assert.is(explain('{"__proto__": 1}').menu?.path, 'main.yaml')
  assert.match(explain('{"__proto__": 2}').candidates[0]?.why ?? '', '__proto__ is the number 1')
  assert.match(explain('{"constructor": 1}').candidates[0]?.why ?? '', 'no main has an equal context')
})

test('A key that is in no variant is reported with a suggestion', () => {
  const { why } = candidateOf({ contexts: [{ partnerID: 3 }] })
  assert.match(why, 'did you mean the key partnerId?')
})

test('There is no implicit fallback: where no candidate is equal no menu answers, although there is one without a context', () => {
  const { menu, items, candidates } = explainOn(SITE, { contexts: [{ partnerId: 9 }, { a: 1 }] })
  assert.equal([menu, items], [null, []])
  for (const { outcome, why } of candidates) {
    assert.is(outcome, 'lost')
    assert.match(why, 'no main has an equal context')
  }
})

test('A menu whose tree is empty wins all the same, and ends the search', () => {
  assert.equal(fared({ code: 'empty', contexts: [{ a: null }, {}] }), {
    path: 'empty.yaml',
    outcomes: ['won', 'not-tried'],
  })
  const denied = explainItems(['{ label: A, url: /, permissions: [a] }'], { contexts: [{}, { id: 1 }] })
  assert.equal([denied.menu?.path, denied.items[0]?.fate], ['main.yaml', 'denied'])
  assert.equal(
    denied.candidates.map(({ outcome }) => outcome),
    ['won', 'not-tried'],
  )
})

test('The menu that answers is reported with its file, the line of its code, its name, context and version', () => {
  const snapshot = snapshotOf(SITE)
  const { menu } = explainOn(snapshot, { contexts: [{ partnerId: 3 }] })
  const version = snapshot.files.find(({ path }) => path === 'main.3.yaml')?.version
  assert.equal(menu, {
    path: 'main.3.yaml',
    line: 2,
    name: 'Menu main',
    context: { partnerId: 3 },
    version,
    stale: false,
  })
  assert.equal(explainOn(snapshot).notes, [])
})

test('A file that is withheld for errors is named where no menu answers, and not where one does', () => {
  const files = { ...SITE, 'shop/side.yaml': variant('side').replace('url:', 'ulr:') }
  const { menu, notes } = explainOn(files, { code: 'side' })
  assert.is(menu, null)
  assert.is(notes.filter((note) => note.includes('shop/side.yaml') && /error/.test(note)).length, 1)
  assert.equal(explainOn(files, { code: 'main' }).notes, [])
})

test('A file with the same code and context as another one is named, and which of them answers', () => {
  const files = { ...SITE, 'z.yaml': variant('main', {}, 'Second') }
  const { menu, notes } = explainOn(files)
  assert.equal([menu?.path, notes.length], ['main.yaml', 1])
  assert.match(notes[0] ?? '', /^z\.yaml:2 .*same code and context/)
  assert.equal(explainOn(files, { code: 'footer' }).notes, [])
})

test('The last good version of a file that broke is reported as such, with the lines of that version', () => {
  const previous = snapshotOf(SITE)
  const broken = snapshotOf({ ...SITE, 'main.yaml': 'version: [' }, { previous })
  const { menu, items } = explainOn(broken)
  assert.equal([menu?.path, menu?.stale, menu?.line], ['main.yaml', true, 2])
  assert.equal(
    items.map(({ line, fate }) => [line, fate]),
    [[6, 'shown']],
  )
  assert.is(explainOn(broken, { code: 'footer' }).menu?.stale, false)
})

test('The source of the viewer is reported: given, from a hook, or anonymous', () => {
  const policies: Policies = { resolveViewer: () => ({ id: 'jane', permissions: ['a'] }) }
  const hooked = explainOn(SITE, { policies }).viewer
  assert.equal([hooked.id, hooked.permissions], ['jane', ['a']])
  assert.match(hooked.why, 'resolveViewer')
  const given = explainOn(SITE, { policies, permissions: ['b'] }).viewer
  assert.equal([given.id, given.permissions], [null, ['b']])
  assert.match(given.why, 'as given')
  const nobody = explainOn(SITE).viewer
  assert.equal([nobody.id, nobody.permissions], [null, []])
  assert.match(nobody.why, 'no hook')
})

test('Among thousands of variants the nearest one is described, in little time', () => {
  const many = Array.from({ length: 3_000 }, (_, place) => [
    `main.${place}.yaml`,
    variant('main', { partner: place, plan: 'pro', region: `r${place % 7}` }),
  ])
  const snapshot = snapshotOf(Object.fromEntries(many) as Readonly<Record<string, string>>)
  const contexts = Array.from({ length: 64 }, (_, place) => ({ partner: place, plan: 'pro', region: 'x' }))
  const { candidates } = explainOn(snapshot, { contexts })
  const whys = candidates.map(({ why }) => why)
  assert.match(whys[63] ?? '', /the nearest, \{partner: 63, .* of main\.63\.yaml:2, differs: its region/)
  assertTime('explain 64 contexts among 3,000 variants', 100, () =>
    timeOf(() => void explainOn(snapshot, { contexts })),
  )
})

test('A menu outside its window has lost, with its file and its window as the reason', () => {
  const timed = variant('main', { a: 1 }).replace('items:', 'visibleFrom: 2026-12-01T00:00:00Z\nitems:')
  const explained = explainOn(
    { 'timed.yaml': timed, 'main.yaml': variant('main') },
    { contexts: [{ a: 1 }, {}], now: Date.UTC(2026, 10, 30) },
  )
  assert.equal(
    explained.candidates.map(({ outcome, why }) => [outcome, why]),
    [
      ['lost', 'timed.yaml:2 has an equal context, but is visible only from 2026-12-01T00:00:00Z'],
      ['won', 'it is the first one with an equal context'],
    ],
  )
  assert.is(explained.menu?.path, 'main.yaml')
})

test.run()
