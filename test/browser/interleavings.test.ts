import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parse, stringify } from 'yaml'
import { textOf } from '../dashboard/managing.js'
import { HOME } from '../dashboard/visiting.js'
import { openSite } from '../http/sites.js'
import { figure, SEED, sized } from '../support/figures.js'
import { commitFolder, createRepository, gitIn } from '../support/repository.js'
import { type Hands, handsOn } from './editing.js'
import { sharedBrowser } from './sites.js'

/** What the file says of each item, by its id. */
type Facts = ReadonlyMap<string, Fact>
interface Fact {
  readonly label: string
  readonly hidden: boolean
}
type Deed = (typeof DEEDS)[number]
const DEEDS = ['rename', 'hide', 'remove'] as const
const IDS = ['a', 'b', 'c'] as const
/** Two operators, and somebody who pushes to git. */
const WHO = ['ana', 'ben', 'git'] as const

/** Somebody changes an item, or publishes what they have changed; `isMine` decides their conflicts. */
const aStep = fc.record({
  who: fc.constantFrom(...WHO),
  publishes: fc.nat({ max: 3 }).map((each) => each === 0),
  deed: fc.constantFrom(...DEEDS),
  // Often the same, so that they meet.
  id: fc.constantFrom('a', 'a', ...IDS),
  isMine: fc.boolean(),
})
const INTERLEAVINGS = fc.sample(fc.array(aStep, { minLength: 5, maxLength: 8 }), {
  seed: SEED,
  numRuns: sized(6, 50),
})

/** What becomes of facts that somebody changes. */
function changed(facts: Facts, id: string, deed: Deed, name: string): Facts {
  const next = new Map(facts)
  const fact = facts.get(id)
  if (fact === undefined) return facts
  if (deed === 'remove') next.delete(id)
  else next.set(id, deed === 'hide' ? { ...fact, hidden: !fact.hidden } : { ...fact, label: name })
  return next
}

/** What three versions come to, and whether that had to be decided: only what both sides changed, each in its way. */
function merged(
  base: Facts,
  mine: Facts,
  theirs: Facts,
  isMine: boolean,
): { facts: Facts; isDecided: boolean } {
  let isDecided = false
  const pick = <T>(was: T, own: T, other: T): T => {
    const [o, m, t] = [was, own, other].map((each) => JSON.stringify(each))
    if (m === t || t === o) return own
    if (m === o) return other
    isDecided = true
    return isMine ? own : other
  }
  const facts = new Map<string, Fact>()
  for (const id of new Set([...base.keys(), ...theirs.keys()])) {
    const [was, own, other] = [base.get(id), mine.get(id), theirs.get(id)]
    const fact =
      was && own && other
        ? {
            label: pick(was.label, own.label, other.label),
            hidden: pick(was.hidden, own.hidden, other.hidden),
          }
        : pick(was, own, other)
    if (fact !== undefined) facts.set(id, fact)
  }
  return { facts, isDecided }
}

const browser = await sharedBrowser()
const site = await openSite(
  Object.fromEntries(
    INTERLEAVINGS.map((_, at) => {
      const items = IDS.map((id) => ({ label: `Item ${id}`, url: `/${id}`, id }))
      return [`m${at}.yaml`, stringify({ version: 1, code: `m${at}`, name: 'Main', items })]
    }),
  ),
  {
    hasDashboard: true,
    policies: "export const resolveOperator = ({ headers }) => ({ id: headers['x-user'], role: 'edit' })",
    prepare: (dir) => commitFolder(dir, 'menus'),
  },
)
const clone = createRepository()
gitIn(clone.dir, 'pull', '--quiet', site.folder.dir, 'main')
test.after(async () => {
  await site.close()
  clone.close()
})

function factsOf(file: string): Facts {
  const { items } = parse(textOf(site, file)) as {
    items: readonly { id: string; label: string; hidden?: boolean }[]
  }
  return new Map(items.map(({ id, label, hidden = false }) => [id, { label, hidden }]))
}

const toText = (facts: Facts = new Map()): string => JSON.stringify([...facts])

/** Does something to an item on the page of an operator. */
async function edit(
  { page, press, saved }: Hands,
  { label, hidden }: Fact,
  deed: Deed,
  name: string,
): Promise<void> {
  const link = page.getByRole('link', { name: label, exact: true })
  if (deed === 'remove') await press(label, 'Delete')
  else if (deed === 'hide') {
    await page.getByRole('link', { name: `Actions for ${label}`, exact: true }).click()
    await page.getByRole('button', { name: hidden ? 'Show' : 'Hide', exact: true }).click()
    await page.keyboard.press('Escape')
  } else {
    await link.click()
    await page.getByLabel('English', { exact: true }).fill(name)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await link.waitFor({ state: 'detached' })
    await page.locator('.handle').first().waitFor()
  }
  await saved()
}

/** Publishes a draft; answers whether something had to be decided. */
async function publish({ page }: Hands, file: string, isMine: boolean): Promise<boolean> {
  const at = (way: string, more: object = {}) =>
    `${site.url}${HOME}/${way}?${new URLSearchParams({ file, ...more })}`
  await page.goto(at('review'))
  const conflicts = page.locator('.conflict')
  const isDecided = (await conflicts.count()) > 0
  if (isDecided) {
    for (const choice of await conflicts.locator(`[value=${isMine ? 'mine' : 'theirs'}]`).all())
      await choice.check()
    await page.getByRole('button', { name: 'Continue to review' }).click()
    await conflicts.first().waitFor({ state: 'detached' })
  }
  const button = page.getByRole('button', { name: 'Publish', exact: true })
  await page.locator('h1').waitFor()
  if (await button.isVisible()) {
    await button.click()
    await page.getByRole('heading', { name: /is live\.$/ }).waitFor()
  } else {
    // Nothing differs any more.
    await page.goto(at('edit', { ask: 'discard' }))
    await page.locator('button[value=discard]').click()
    await page.getByText('Your draft was discarded.').waitFor()
  }
  return isDecided
}

test(`However two operators and git take turns, no one silently overwrites another (seed ${SEED})`, async () => {
  const operators = await Promise.all(
    ['ana', 'ben'].map(async (user) => {
      const { page, close } = await browser.visitor()
      await page.context().setExtraHTTPHeaders({ 'x-user': user, 'accept-language': 'en' })
      return { who: user, hands: handsOn(page, site.url), close }
    }),
  )
  let decisions = 0
  for (const [at, steps] of INTERLEAVINGS.entries()) {
    const file = `m${at}.yaml`
    const drafts = new Map<string, { readonly base: Facts; readonly mine: Facts }>()
    const last = operators.map(
      ({ who }) => ({ who, publishes: true, deed: 'hide', id: 'a', isMine: true }) as const,
    )
    for (const [place, { who, publishes, deed, id, isMine }] of [...steps, ...last].entries()) {
      const name = `${who} ${place}`
      const where = `${file} step ${place} of ${JSON.stringify(steps)}`
      const theirs = factsOf(file)
      const hands = operators.find((each) => each.who === who)?.hands
      // A draft that changes nothing gives way to what the file has become.
      const { base: was, mine: own } = drafts.get(who) ?? {}
      if (toText(was) === toText(own) && toText(was) !== toText(theirs)) drafts.delete(who)
      const { base = theirs, mine = theirs } = drafts.get(who) ?? {}
      if (hands === undefined) {
        gitIn(clone.dir, 'pull', '--quiet', site.folder.dir, 'main')
        const facts = changed(theirs, id, deed, name)
        const items = [...facts].map(([key, { label, hidden }]) => ({
          ...{ label, url: `/${key}`, id: key },
          ...(hidden && { hidden }),
        }))
        const text = stringify({ version: 1, code: `m${at}`, name: 'Main', items })
        writeFileSync(join(clone.dir, 'menus', file), text)
        gitIn(clone.dir, 'commit', '--quiet', '--all', '--allow-empty', '--message=Pushed')
        gitIn(site.folder.dir, 'pull', '--quiet', '--ff-only', clone.dir, 'main')
        assert.equal(factsOf(file), facts, where)
      } else if (publishes && drafts.has(who)) {
        const { facts, isDecided } = merged(base, mine, theirs, isMine)
        assert.is(await publish(hands, file, isMine), isDecided, where)
        assert.equal(factsOf(file), facts, where)
        drafts.delete(who)
        if (isDecided) decisions++
      } else if (!publishes) {
        const fact = mine.get(id)
        if (fact === undefined) continue
        if (!drafts.has(who)) await hands.open(file)
        await edit(hands, fact, deed, name)
        drafts.set(who, { base, mine: changed(mine, id, deed, name) })
      }
    }
  }
  figure(
    'turns of two browsers and git',
    `${INTERLEAVINGS.length}, ${decisions} conflicts`,
    'none in silence',
  )
  for (const { close } of operators) await close()
})

test.run()
