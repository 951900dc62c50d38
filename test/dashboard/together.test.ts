import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import type { Json, JsonMap } from '../../src/model/json.js'
import { createRandom } from '../cli/planting.js'
import { openSite } from '../http/sites.js'
import { figure, SEED, sized } from '../support/figures.js'
import { closing, test } from '../support/test.js'
import { ADMIN, codeOf, draftOf, scriptOf, textOf } from './managing.js'

const CLIENTS = 8
const PATCHES = sized(1_000, 10_000)
const PAIRS = sized(200, 2_000)
const OPTIONS = { adminToken: ADMIN, hasDashboard: true }

const textWith = (items: readonly JsonMap[]): string =>
  `version: 1\ncode: main\nname: Main\nitems:\n${items.map((item) => `  - ${JSON.stringify(item)}\n`).join('')}`
const itemsOf = (count: number): JsonMap[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `i${at}`,
    label: `Item ${at}`,
    url: `/${at}`,
    icon: `a:${at}`,
  }))

test('B7: of many patches by several clients at once, each that is acknowledged stands on the one before', async () => {
  const site = closing(await openSite({ 'main.yaml': textWith(itemsOf(CLIENTS)) }, OPTIONS))
  const script = scriptOf(site)
  const read = async () => (await script('GET', '/menu?file=main.yaml')).headers['etag'] ?? ''
  const first = await read()
  /** What was acknowledged, by the version that it was made from. */
  const steps = new Map<string, { readonly to: string; readonly at: number; readonly label: string }>()
  let [left, refused] = [PATCHES, 0]
  const client = async (at: number): Promise<void> => {
    let version = first
    while (left-- > 0) {
      const label = `Label ${left} by ${at}`
      const body = [{ op: 'replace', path: `/items/${at}/label`, value: label }]
      const answer = await script('PATCH', '/menu?file=main.yaml', { body, version })
      if (answer.status === 412) {
        refused++
        version = await read()
        continue
      }
      assert.is(answer.status, 200, answer.text)
      assert.not(steps.has(version), 'two edits of one version were acknowledged')
      const to = answer.headers['etag'] ?? ''
      steps.set(version, { to, at, label })
      version = to
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, at) => client(at)))
  const model = itemsOf(CLIENTS)
  let version = first
  for (let step = steps.get(version); step !== undefined; step = steps.get(version)) {
    steps.delete(version)
    model[step.at] = { ...model[step.at], label: step.label }
    version = step.to
  }
  figure(`${PATCHES} patches by ${CLIENTS} clients at once, refused as outdated`, `${refused}`, 'any')
  assert.equal([steps.size, version], [0, await read()])
  assert.equal(parse(textOf(site)).items, model)
})

type Items = ReadonlyMap<string, JsonMap>

/** What one does to the items of a list, and what they are then. */
function edited(base: readonly JsonMap[], who: string, random: () => number) {
  const items = base.map((item) => ({ ...item }))
  const operations: object[] = []
  for (let count = 1 + Math.floor(random() * 3); count > 0; count--) {
    const at = Math.floor(random() * items.length)
    const kind = random()
    if (kind < 0.2 && items.length > 1) {
      operations.push({ op: 'remove', path: `/items/${at}` })
      items.splice(at, 1)
    } else if (kind < 0.4) {
      const item = {
        id: `${who}${count}`,
        label: `New ${who} ${count}`,
        url: `/${who}/${count}`,
        icon: 'a:b',
      }
      operations.push({ op: 'add', path: `/items/${at}`, value: item })
      items.splice(at, 0, item)
    } else {
      const field = ['label', 'url', 'icon'][Math.floor(random() * 3)] ?? ''
      const value =
        field === 'url' ? `/${who}/x${count}` : field === 'icon' ? `${who}:${count}` : `${who} ${count}`
      operations.push({ op: 'replace', path: `/items/${at}/${field}`, value })
      items[at] = { ...items[at], [field]: value }
    }
  }
  return { operations, items: byId(items) }
}

function byId(items: readonly JsonMap[]): Items {
  return new Map(items.map((item) => [String(item['id']), item]))
}

/** What three versions of items with ids become, a field at a time; null for a conflict. */
function merged(base: Items, mine: Items, theirs: Items): Items | null {
  const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
  const result = new Map<string, JsonMap>()
  for (const id of new Set([...base.keys(), ...mine.keys(), ...theirs.keys()])) {
    const [was, my, their] = [base.get(id), mine.get(id), theirs.get(id)]
    if (my === undefined || their === undefined) {
      const left = my ?? their
      if (was !== undefined && left !== undefined && !same(left, was)) return null
      if (was === undefined && left !== undefined) result.set(id, left)
      continue
    }
    const item: Record<string, Json> = {}
    for (const field of Object.keys(my)) {
      const [old, one, two] = [was?.[field], my[field], their[field]]
      if (!same(one, old) && !same(two, old) && !same(one, two)) return null
      item[field] = (same(one, old) ? two : one) ?? null
    }
    result.set(id, item)
  }
  return result
}

test('B7: of two edits at once, each is in the file, or the conflict is said and the draft is kept', async () => {
  const random = createRandom(SEED)
  const base = itemsOf(6)
  const text = textWith(base)
  let conflicts = 0
  const site = closing(await openSite({ 'main.yaml': text }, OPTIONS))
  const script = scriptOf(site)
  for (let pair = 0; pair < PAIRS; pair++) {
    const where = `pair ${pair}, MENUSCRIPT_SEED=${SEED}`
    const [mine, theirs] = [edited(base, 'm', random), edited(base, 't', random)]
    site.folder.write('menus/main.yaml', text)
    const draft = await draftOf(script, mine.operations)
    const version = (await script('GET', '/menu?file=main.yaml')).headers['etag'] ?? ''
    const other = await script('PATCH', '/menu?file=main.yaml', { body: theirs.operations, version })
    assert.is(other.status, 200, `${where}: ${other.text}`)
    const model = merged(byId(base), mine.items, theirs.items)
    const answer = await script('POST', `${draft}/publish`)
    const found = byId(parse(textOf(site)).items)
    if (model === null) {
      conflicts++
      assert.is(codeOf(answer), '409 conflict', where)
      assert.equal(found, theirs.items, where)
      const kept = (await script('GET', draft)).json() as { menu: { items: readonly JsonMap[] } }
      assert.equal(byId(kept.menu.items), mine.items, where)
      await script('DELETE', draft)
    } else {
      assert.is(answer.status, 200, `${where}: ${answer.text}`)
      assert.equal(new Map([...found].sort()), new Map([...model].sort()), where)
    }
  }
  figure(`${PAIRS} pairs of edits at once, in conflict`, `${conflicts}`, 'some, none silent')
  assert.ok(conflicts > 0 && conflicts < PAIRS)
})

test.run()
