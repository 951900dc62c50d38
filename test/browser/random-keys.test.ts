import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { parse, stringify } from 'yaml'
import { HOME } from '../dashboard/visiting.js'
import { openSite } from '../http/sites.js'
import { eventually } from '../support/eventually.js'
import { figure, SEED, sized } from '../support/figures.js'
import { test } from '../support/test.js'
import { openEditor } from './editing.js'

/** A menu as this test understands it: nothing here is of the editor's own code. */
interface Item {
  readonly label: string
  readonly items: readonly Item[]
}
type Menu = readonly Item[]
/** What was pressed, and on which item, as the page showed it in that moment; null for none. */
interface Press {
  readonly key: string
  readonly label: string | null
}

const KEYS = {
  Delete: 'Delete',
  up: 'Alt+ArrowUp',
  down: 'Alt+ArrowDown',
  nest: 'Alt+ArrowRight',
  unnest: 'Alt+ArrowLeft',
  undo: 'Control+z',
} as const
type Key = keyof typeof KEYS
const START: Menu = ['Ash', 'Beech', 'Cedar', 'Dogwood', 'Elm'].map((label, at) => ({
  label,
  items: at === 1 ? ['Fir', 'Gum'].map((each) => ({ label: each, items: [] })) : [],
}))

/** Moves the focus so many rows down, and presses a key there; or adds an item, which loads other pages. */
const aStep = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({ key: fc.constantFrom(...(Object.keys(KEYS) as Key[])), row: fc.nat(9) }),
  },
  { weight: 4, arbitrary: fc.record({ key: fc.constant<Key>('undo'), row: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.constant('add' as const) },
)
const PROGRAMS = fc.sample(fc.array(aStep, { minLength: 6, maxLength: 14 }), {
  seed: SEED,
  numRuns: sized(8, 100),
})

const pathTo = (menu: Menu, label: string, above: readonly number[] = []): readonly number[] | null => {
  for (const [at, item] of menu.entries()) {
    const path = [...above, at]
    const found = item.label === label ? path : pathTo(item.items, label, path)
    if (found !== null) return found
  }
  return null
}
const listAt = (menu: Menu, path: readonly number[]): Menu =>
  path.reduce<Menu>((list, at) => list[at]?.items ?? [], menu)
/** The menu with another list at a path. */
const withList = (menu: Menu, [first, ...rest]: readonly number[], change: (list: Menu) => Menu): Menu =>
  first === undefined
    ? change(menu)
    : menu.map((item, at) => (at === first ? { ...item, items: withList(item.items, rest, change) } : item))

/** What a key does to a menu; null where it does nothing. */
function pressed(menu: Menu, { key, label }: Press): Menu | null {
  const path = label === null ? null : pathTo(menu, label)
  if (path === null) return null
  const [above, at] = [path.slice(0, -1), path.at(-1) ?? 0]
  const list = listAt(menu, above)
  const item = list[at]
  if (item === undefined) return null
  const without = withList(menu, above, (all) => all.filter((each) => each !== item))
  const into = (from: Menu, where: readonly number[], place: number): Menu =>
    withList(from, where, (all) => [...all.slice(0, place), item, ...all.slice(place)])
  if (key === 'Delete') return without
  if (key === 'ArrowUp') return at === 0 ? null : into(without, above, at - 1)
  if (key === 'ArrowDown') return at === list.length - 1 ? null : into(without, above, at + 1)
  if (key === 'ArrowRight')
    return at === 0 ? null : into(without, [...above, at - 1], list[at - 1]?.items.length ?? 0)
  return above.length === 0 ? null : into(without, above.slice(0, -1), (above.at(-1) ?? 0) + 1)
}

/** What all that was pressed comes to, one after the other. */
function outcomeOf(presses: readonly Press[]): Menu {
  const past: Menu[] = []
  let menu = START
  for (const press of presses) {
    const next = press.key === 'z' ? (past.pop() ?? null) : addedOr(menu, press)
    if (next === null) continue
    if (press.key !== 'z') past.push(menu)
    menu = next
  }
  return menu
}
function addedOr(menu: Menu, press: Press): Menu | null {
  return press.key === 'add' ? [...menu, { label: press.label ?? '', items: [] }] : pressed(menu, press)
}

const toFile = (menu: Menu): readonly object[] =>
  menu.map(({ label, items }) => ({
    label,
    url: `/${label.toLowerCase()}`,
    ...(items.length > 0 && { children: toFile(items) }),
  }))
const textOf = (code: string): string => stringify({ version: 1, code, name: 'Trees', items: toFile(START) })

const site = await openSite(Object.fromEntries(PROGRAMS.map((_, at) => [`m${at}.yaml`, textOf(`m${at}`)])), {
  hasDashboard: true,
})
test.after(() => site.close())

/** Notes each key with the item on which the page has the focus: what an operator sees. */
const LISTEN = `addEventListener('keydown', ({ key, altKey, ctrlKey }) => {
  if (!altKey && !ctrlKey && key !== 'Delete') return
  if (key === 'Alt' || key === 'Control') return
  const row = document.activeElement?.closest('.tree li')
  presses.push({ key, label: row?.querySelector('.name')?.textContent ?? null })
}, { capture: true }); var presses = []`

/** Whether leaving the page asks nothing. */
const IS_DONE = "dispatchEvent(new Event('beforeunload', { cancelable: true }))"

const takePresses = (page: Page): Promise<readonly Press[]> => page.evaluate<Press[]>('presses')

test(`E23: whatever keys are pressed without waiting for answers, the file is what they mean on the screen (seed ${SEED})`, async () => {
  const { page, open } = await openEditor(site)
  let [keys, misses] = [0, 0]
  for (const [at, steps] of PROGRAMS.entries()) {
    const file = `m${at}.yaml`
    const where = `${file}: ${JSON.stringify(steps)}`
    let presses: readonly Press[] = []
    let added = 0
    await open(file)
    await page.evaluate(LISTEN)
    for (const step of steps) {
      if (step === 'add') {
        // What waits for its turn is kept nowhere: who leaves is asked, and here nobody answers.
        await eventually(async () => assert.ok(await page.evaluate(IS_DONE)))
        presses = [...presses, ...(await takePresses(page))]
        const label = `New ${++added}`
        await page.goto(`${site.url}${HOME}/item?${new URLSearchParams({ file, new: 'inside' })}`)
        await page.locator('[name="label:en"]').fill(label)
        await page.locator('#url').fill(`/new ${added}`.replace(' ', '-'))
        await page.locator('[name="label:en"]').press('Enter')
        await page.locator('.handle').first().waitFor()
        await page.evaluate(LISTEN)
        presses = [...presses, { key: 'add', label }]
      } else {
        await page.evaluate(
          `{ const all = document.querySelectorAll('.tree .name'); all[${step.row} % all.length]?.focus() }`,
        )
        await page.keyboard.press(KEYS[step.key])
      }
    }
    presses = [...presses, ...(await takePresses(page))]
    await page.keyboard.press('Control+s')
    const unchanged = page.locator('.said', { hasText: 'No changes' }).waitFor({ state: 'attached' })
    await Promise.race([page.waitForURL('**/review?*'), unchanged].map((each) => each.catch(() => {})))
    const expected = outcomeOf(presses)
    keys += presses.length
    const shown = new Set(presses.map(({ label }) => label))
    misses += [...shown].filter((label) => label !== null && pathTo(expected, label) === null).length
    const button = page.getByRole('button', { name: 'Publish', exact: true })
    if (await button.isVisible()) {
      await button.click()
      await page.getByRole('heading', { name: /is live\.$/ }).waitFor()
    }
    await eventually(
      () => {
        const { items } = parse(readFileSync(join(site.folder.dir, 'menus', file), 'utf8')) as {
          items: object[]
        }
        const plain = JSON.stringify(items, (name, value) => (name === 'url' ? undefined : value))
        assert.is(
          plain,
          JSON.stringify(toFile(expected), (name, value) => (name === 'url' ? undefined : value)),
          `${where}; ${JSON.stringify(presses)}`,
        )
      },
      { within: 3_000 },
    )
  }
  figure('keys pressed without waiting', `${keys}, ${misses} items gone`, 'each means what was on the screen')
})

test.run()
