import fc from 'fast-check'
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { NESTED, textOf } from '../dashboard/managing.js'
import { HOME } from '../dashboard/visiting.js'
import { openSite } from '../http/sites.js'
import { SEED, sized } from '../support/figures.js'
import { test } from '../support/test.js'
import { openEditor } from './editing.js'

/** The items of a menu in their order, each with its level: that alone says what is below what. */
interface Row {
  readonly label: string
  readonly level: number
}

interface Item {
  readonly type?: 'divider'
  readonly label?: string
  readonly url?: string
  children?: Item[]
}

/** Where a row is dragged to: below or above the middle of another, and how many levels to the side. */
interface Drag {
  readonly from: number
  readonly to: number
  readonly isBelow: boolean
  readonly sideways: number
}

const DIVIDER = 'Divider'
const LEVEL_PX = 24

const aTree: fc.Arbitrary<readonly Row[]> = fc
  .array(fc.integer({ min: -2, max: 1 }), { minLength: 5, maxLength: 12 })
  .map((steps) => {
    const rows: Row[] = []
    for (const [place, step] of steps.entries()) {
      const above = rows.at(-1)
      const level = above === undefined ? 1 : Math.min(Math.max(above.level + step, 1), deepestBelow(above))
      rows.push({ level, label: place % 4 === 3 ? DIVIDER : `Item ${place}` })
    }
    return rows
  })
const aDrag: fc.Arbitrary<Drag> = fc.record({
  from: fc.nat(),
  to: fc.nat(),
  isBelow: fc.boolean(),
  sideways: fc.integer({ min: -3, max: 3 }),
})
const TRIES = fc.sample(fc.tuple(aTree, fc.array(aDrag, { minLength: 20, maxLength: 20 })), {
  seed: SEED,
  numRuns: sized(6, 200),
})

/** A divider has nothing below it. */
function deepestBelow({ label, level }: Row): number {
  return label === DIVIDER ? level : level + 1
}

function menuOf(code: string, rows: readonly Row[]): string {
  const items: Item[] = []
  const path: Item[] = []
  for (const { label, level } of rows) {
    const item: Item = label === DIVIDER ? { type: 'divider' } : { label, url: '/' }
    const parent = path[level - 2]
    if (parent === undefined) items.push(item)
    else parent.children = [...(parent.children ?? []), item]
    path.splice(level - 1, path.length, item)
  }
  return JSON.stringify({ version: 1, code, name: code, items })
}

function rowsOf(text: string): readonly Row[] {
  const enter = (items: readonly Item[], level: number): readonly Row[] =>
    items.flatMap(({ label = DIVIDER, children = [] }) => [{ label, level }, ...enter(children, level + 1)])
  return enter((parse(text) as { items: readonly Item[] }).items, 1)
}

/** What a drag makes of rows, and what its line says: it goes between two of the others, as deep as these let it. */
function dragged(
  rows: readonly Row[],
  place: number,
  slotOf: (others: readonly number[]) => number,
  sideways: number,
): { readonly rows: readonly Row[]; readonly words: string } {
  const row = rows[place] as Row
  const end = rows.findIndex(({ level }, at) => at > place && level <= row.level)
  const branch = rows.slice(place, end === -1 ? rows.length : end)
  const others = rows.filter((each) => !branch.includes(each))
  if (others.length === 0) return { rows, words: '' }
  const slot = slotOf(others.map((each) => rows.indexOf(each)))
  const [above, below] = [others[slot - 1], others[slot]]
  const highest = above === undefined ? 1 : deepestBelow(above)
  const level = Math.min(Math.max(row.level + sideways, below?.level ?? 1), highest)
  const parent = others.slice(0, slot).findLast((each) => each.level < level)
  return {
    rows: [
      ...others.slice(0, slot),
      ...branch.map((each) => ({ ...each, level: each.level + level - row.level })),
      ...others.slice(slot),
    ],
    words: parent === undefined ? 'At the top level' : `Under ${parent.label}`,
  }
}

/** The rows that a page shows, with their middles and where their handles are. */
interface ShownRow extends Row {
  readonly middle: number
  readonly height: number
  readonly x: number
}

function shownRows(page: Page): Promise<readonly ShownRow[]> {
  return page.evaluate<readonly ShownRow[]>(`{
    const levelOf = (list) => (list === null ? 0 : 1 + levelOf(list.parentElement.closest('.tree ul')))
    ;[...document.querySelectorAll('.tree .row')].map((row) => {
      const { top, height } = row.getBoundingClientRect()
      const { left, width } = row.querySelector('.handle').getBoundingClientRect()
      const label = row.querySelector('.name, .line').textContent
      return { label, level: levelOf(row.closest('ul')), middle: top + height / 2, height, x: left + width / 2 }
    })
  }`)
}

/** The texts of rows that the label of a drop lies over, where it is in the window. */
const COVERED = `{
  const boxOf = (node) => {
    const range = document.createRange()
    range.selectNodeContents(node)
    return [...range.getClientRects()]
  }
  const label = document.querySelector('.drop-line span').getBoundingClientRect()
  const isOver = (box) =>
    box.width > 1 && box.left < label.right && box.right > label.left && box.top < label.bottom && box.bottom > label.top
  const texts = [...document.querySelectorAll('.tree li:not(.dragged, .dragged *) > .row :is(.name, code, .chip)')]
  const inside = label.left >= 0 && label.right <= innerWidth ? [] : ['outside of the window']
  inside.concat(texts.filter((each) => boxOf(each).some(isOver)).map((each) => each.textContent)).join()
}`

const toRow = ({ label, level }: Row): Row => ({ label, level })

/** Publishes the draft of a page that is saved. */
const PUBLISH = `(async () => {
  const [id, revision] = document.querySelector('.dock [name=state]').value.split('.')
  const { csrf } = JSON.parse(document.querySelector('#editor-data').textContent)
  const headers = { 'x-csrf-token': csrf, 'if-match': JSON.stringify(revision) }
  return (await fetch('${HOME}/api/drafts/' + id + '/publish', { method: 'POST', headers })).status
})()`

const site = await openSite(
  {
    'main.yaml': NESTED,
    'long.yaml': JSON.stringify({
      ...{ version: 1, code: 'long', name: 'Long' },
      items: Array.from({ length: 4 }, (_, place) => ({
        ...{
          label: `Item ${place} ${'with a long name '.repeat(place * 3)}`,
          url: `/${'path/'.repeat(place * 9)}`,
        },
        children: [{ label: `A child of ${place} with a name of its own`, url: '/child' }],
      })),
    }),
    'touch.yaml': NESTED.replace('main', 'touch'),
    ...Object.fromEntries(TRIES.map(([rows], place) => [`t${place}.yaml`, menuOf(`t${place}`, rows)])),
  },
  { hasDashboard: true },
)
test.after(() => site.close())

test(`Page, model and file agree after random drags, and the line named the parent (seed ${SEED})`, async () => {
  const { page, open, saved } = await openEditor(site)
  // All rows fit: nothing scrolls while they are dragged.
  await page.setViewportSize({ width: 1280, height: 2_000 })
  for (const [place, [tree, drags]] of TRIES.entries()) {
    const file = `t${place}.yaml`
    await open(file)
    let rows = tree
    for (const { from, to, isBelow, sideways } of drags) {
      const shown = await shownRows(page)
      assert.equal(shown.map(toRow), rows, file)
      const [row, target] = [shown[from % shown.length], shown[to % shown.length]]
      if (row === undefined || target === undefined) throw new Error('there are no rows')
      const y = target.middle + target.height * (isBelow ? 0.3 : -0.2)
      // Each waits for a frame: they are sent at once.
      await Promise.all([
        page.mouse.move(row.x, row.middle),
        page.mouse.down(),
        page.mouse.move(row.x + LEVEL_PX * sideways, y),
      ])
      const line = page.locator('.drop-line')
      const slotOf = (others: readonly number[]): number =>
        others.filter((each) => (shown[each]?.middle ?? 0) < y).length
      const next = dragged(rows, from % shown.length, slotOf, sideways)
      assert.is(await line.textContent(), next.words, file)
      await page.mouse.up()
      rows = next.rows
    }
    assert.equal((await shownRows(page)).map(toRow), rows, file)
    await saved()
    await page.evaluate(PUBLISH)
    assert.equal(rowsOf(textOf(site, file)), rows, file)
  }
})

test('Escape takes a drag back, and nothing is sent', async () => {
  const { page, open, tree, said } = await openEditor(site)
  await open('touch.yaml')
  const before = await tree()
  await page.locator('.handle').first().hover()
  await page.mouse.down()
  await page.mouse.move(300, 600)
  assert.is(await page.locator('.drop-line').count(), 1)
  await page.keyboard.press('Escape')
  await page.mouse.up()
  assert.equal(
    [await tree(), await said(), await page.locator('.drop-line').count()],
    [before, 'Not moved.', 0],
  )
  await page.getByText('No changes', { exact: true }).waitFor()
})

for (const options of [{ width: 1280 }, { width: 390, hasTouch: true }, { width: 390 }])
  test(`The label of a drop covers no text, at ${options.width} pixels${options.hasTouch ? ' by touch' : ''}`, async () => {
    const { page, open } = await openEditor(site, options)
    await page.setViewportSize({ width: options.width, height: 1_600 })
    await open('long.yaml')
    const rows = await shownRows(page)
    const [first] = rows
    if (first === undefined) throw new Error('there are no rows')
    await page.mouse.move(first.x, first.middle)
    await page.mouse.down()
    for (const { middle, height } of rows) {
      await page.mouse.move(first.x, middle + height / 4)
      assert.is(await page.evaluate<string>(COVERED), '', `at ${middle}`)
    }
    await page.keyboard.press('Escape')
    await page.mouse.up()
  })

test('A finger drags by a handle of 44 pixels', async () => {
  const { page, open, tree, saved } = await openEditor(site, {
    hasTouch: true,
    width: 390,
    isMobile: true,
  })
  await open('touch.yaml')
  const handles = page.locator('.handle')
  const [home, about] = [await handles.first().boundingBox(), await handles.last().boundingBox()]
  if (home === null || about === null) throw new Error('a handle has no place')
  assert.ok(home.width >= 44 && home.height >= 44)
  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: home.x + 22, y }],
    })
  await touch('touchStart', home.y + 22)
  await touch('touchMove', about.y)
  await touch('touchMove', about.y + about.height)
  await touch('touchEnd', 0)
  await saved()
  assert.is(await tree(), '1 Products, 2 Lamps, 2 Blog, 1 About, 1 Home')
})

test('Right to left, a drag to the left goes deeper, and the arrows are mirrored', async () => {
  const { page, open, press, tree, saved } = await openEditor(site)
  await page.addInitScript(`
    document.addEventListener('readystatechange', () => (document.documentElement.dir = 'rtl'), { once: true })
  `)
  await open('main.yaml')
  await press('About', 'Alt+ArrowLeft')
  assert.is(await tree(), '1 Home, 1 Products, 2 Lamps, 2 Blog, 2 About')
  await press('About', 'Alt+ArrowRight')
  const about = (await shownRows(page)).at(-1)
  if (about === undefined) throw new Error('there are no rows')
  await page.mouse.move(about.x, about.middle)
  await page.mouse.down()
  await page.mouse.move(about.x - 2 * LEVEL_PX, about.middle)
  assert.is(await page.locator('.drop-line').textContent(), 'Under Blog')
  await page.mouse.up()
  assert.is(await tree(), '1 Home, 1 Products, 2 Lamps, 2 Blog, 3 About')
  await saved()
  // It stays mirrored: nobody else gets this window.
  await page.close()
})

test.run()
