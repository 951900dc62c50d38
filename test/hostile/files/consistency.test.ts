import { setImmediate } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Snapshot } from '../../../src/model/snapshot.js'
import { opened, servedOf } from '../../store/opening.js'
import { figure, sized } from '../../support/figures.js'
import { createVisitor, withService } from './live-service.js'
import { longMenu, nameIn, servedWhen } from './serving-store.js'

const RELOADS = 200
const READS = 100_000
const CODES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
/** Files beside them that stay as they are: a look takes longer than one turn of the loop. */
const OTHERS = 300

/** All files of a generation, in the order in which they are written. */
function generation(name: string, items = 8): Record<string, string> {
  return Object.fromEntries(CODES.map((code) => [`${code}.yaml`, longMenu(code, name, items)]))
}

/** The generations that one read of a snapshot meets: in the files, in the index, and in every label. */
function read(snapshot: Snapshot): Set<string> {
  const met = new Set<string>()
  for (const code of CODES) {
    met.add(nameIn(snapshot, `${code}.yaml`) ?? 'none')
    const menu = servedOf(snapshot, code)
    met.add(menu?.name ?? 'none')
    for (const item of menu?.items ?? []) {
      if (item.type !== 'divider') met.add(String(item.label).split(' ')[0] ?? '')
    }
  }
  return met
}

test('A7: of 100,000 reads during 200 reloads of eight files, each meets one generation', async () => {
  const others = Object.fromEntries(
    Array.from({ length: OTHERS }, (_, place) => [`o/${place}.yaml`, longMenu(`o${place}`, 'other', 1)]),
  )
  await opened(
    { ...generation('g0'), ...others },
    async ({ folder, store }) => {
      let reads = 0
      let mixed = 0
      const met = new Set<string>()
      let reloading = true
      const readOn = async (): Promise<void> => {
        while (reloading || reads < READS) {
          for (let count = 0; count < 60; count++, reads++) {
            const names = read(store.current)
            if (names.size !== 1) mixed++
            for (const name of names) met.add(name)
          }
          await setImmediate()
        }
      }
      const reading = readOn()
      for (let turn = 1; turn <= RELOADS; turn++) {
        for (const [path, text] of Object.entries(generation(`g${turn}`))) folder.write(path, text)
        await store.refresh()
        await setImmediate()
      }
      reloading = false
      await reading
      figure(
        'consistency, reads during reloads',
        `${mixed} mixed of ${reads}, ${RELOADS} reloads`,
        '0 of 100,000',
      )
      assert.is(mixed, 0)
      assert.is(met.size, RELOADS + 1)
    },
    { watch: false },
  )
})

test('A7: with changes that are found by events, each new snapshot is one generation', async () => {
  await opened(generation('g0'), async ({ folder, store }) => {
    const seen: Snapshot[] = []
    store.onChange((snapshot) => seen.push(snapshot))
    const reloads = sized(8, RELOADS)
    for (let turn = 1; turn <= reloads; turn++) {
      for (const [path, text] of Object.entries(generation(`g${turn}`))) folder.write(path, text)
      await servedWhen(store, (snapshot) => nameIn(snapshot, 'h.yaml') === `g${turn}`)
    }
    assert.equal(
      seen.map((snapshot) => [...read(snapshot)].join(' and ')),
      Array.from({ length: reloads }, (_, place) => `g${place + 1}`),
    )
  })
})

test('A7: over HTTP every answer is wholly of one generation, and its tag and version are of its body', async () => {
  await withService(generation('g0', 40), async ({ url, folder }) => {
    const visitors = ['a', 'h'].map((code) => createVisitor(url, `/api/menu/${code}`))
    const reloads = sized(8, RELOADS)
    for (let turn = 1; turn <= reloads; turn++) {
      for (const [path, text] of Object.entries(generation(`g${turn}`, 40)))
        folder.write(`menus/${path}`, text)
      // Until both have seen it.
      const isSeen = (): boolean =>
        visitors.every(({ answers }) => answers.at(-1)?.text.includes(`"g${turn} 39"`))
      const deadline = performance.now() + 60_000
      while (!isSeen() && performance.now() < deadline)
        await new Promise((resolve) => setTimeout(resolve, 10))
    }
    let requests = 0
    for (const { answers, times, end } of visitors) {
      await end()
      requests += times.length
      const generations = answers.map(({ text }) =>
        [
          ...new Set((JSON.parse(text) as { label: string }[]).map(({ label }) => label.split(' ')[0])),
        ].join(),
      )
      assert.equal(
        generations,
        Array.from({ length: reloads + 1 }, (_, place) => `g${place}`),
      )
      assert.is(new Set(answers.map(({ etag }) => etag)).size, reloads + 1)
      assert.is(new Set(answers.map(({ version }) => version)).size, reloads + 1)
      assert.ok(answers.every(({ status }) => status === 200))
    }
    figure('consistency over HTTP', `0 mixed of ${requests} answers, ${reloads} reloads`, '0')
  })
})

test.run()
