import { renameSync } from 'node:fs'
import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import type { Json } from '../../../src/model/json.js'
import type { Draft } from '../../../src/store/drafts/read-draft.js'
import { SEED, sized } from '../../support/figures.js'
import { createHub, type Hub } from '../../support/hub.js'
import { test } from '../../support/test.js'
import { asideIn, labelsIn, openReplica, type Replica } from './replicas.js'

const MENU = Buffer.from('version: 1\ncode: main\nname: Main\nitems:\n  - label: Home\n    url: /\n')

/** What can happen at one of the replicas, or to the remote. */
const DEEDS = [
  ...['edit', 'edit', 'edit', 'undo', 'redo', 'push', 'push', 'pull', 'pull'],
  ...['discard', 'crash', 'die', 'outage'],
] as const
const story = fc.array(fc.tuple(fc.constantFrom(...DEEDS), fc.nat(2)), { minLength: 4, maxLength: 24 })

/** The same hub and replicas, with what the law is about. */
interface World {
  readonly hub: Hub
  readonly replicas: Replica[]
  /** Labels that the remote had at some time. */
  readonly pushed: Set<Json>
  /** Labels that somebody took back, with a step or with the draft, or that died before they were pushed. */
  readonly given: Set<Json>
  isAway: boolean
  count: number
}

function draftIn({ drafts }: Replica): Draft | null {
  return drafts.list()[0] ?? null
}

/** Does something at a replica; the labels that its draft has no more were taken back. */
function doing({ given }: World, replica: Replica, work: () => unknown): void {
  const before = labelsIn(draftIn(replica))
  work()
  const after = new Set(labelsIn(draftIn(replica)))
  for (const label of before) if (!after.has(label)) given.add(label)
}

/** The labels of all states of a draft that can be reached by undo. */
function undoneIn(replica: Replica): readonly Json[] {
  const id = draftIn(replica)?.id ?? ''
  const { value } = replica.drafts.undo({ id, user: 'ana', revision: null })
  return value === null ? [] : [...labelsIn(value), ...undoneIn(replica)]
}

async function live(world: World, deed: (typeof DEEDS)[number], at: number): Promise<void> {
  const replica = world.replicas[at] as Replica
  const { drafts } = replica
  const draft = draftIn(replica)
  const ref = { id: draft?.id ?? '', user: 'ana', revision: null }
  if (deed === 'edit') {
    const { value } = drafts.open('ana', 'main.yaml', MENU)
    const label = `s${world.count++}`
    const operation = { op: 'add', path: '/items/-', value: { label, url: `/${label}` } } as const
    assert.is(drafts.edit({ ...ref, id: value?.id ?? '' }, [operation]).fault, null)
  }
  if (deed === 'undo' || deed === 'redo') doing(world, replica, () => drafts[deed](ref))
  if (deed === 'discard') doing(world, replica, () => drafts.discard(ref.id, 'ana'))
  if (deed === 'pull') await replica.pull()
  if (deed === 'push' && (await replica.push()) === null)
    for (const label of labelsIn(draftIn(replica))) world.pushed.add(label)
  if (deed === 'crash' || deed === 'die') {
    if (world.isAway) return
    if (deed === 'die')
      for (const label of labelsIn(draft)) if (!world.pushed.has(label)) world.given.add(label)
    if (deed === 'die') await replica.close()
    world.replicas[at] = deed === 'die' ? await openReplica(world.hub) : await replica.restart()
  }
  if (deed === 'outage') setAway(world, !world.isAway)
}

function setAway(world: World, isAway: boolean): void {
  const { url } = world.hub
  if (isAway !== world.isAway) renameSync(isAway ? url : `${url}.away`, isAway ? `${url}.away` : url)
  world.isAway = isAway
}

test('whatever happens, replicas end with the same draft, which has each step that was kept once, and lacks none', async () => {
  await fc.assert(
    fc.asyncProperty(story, async (deeds) => {
      const hub = createHub({ 'main.yaml': String(MENU) })
      const replicas = [await openReplica(hub), await openReplica(hub), await openReplica(hub)]
      const world: World = { hub, replicas, pushed: new Set(), given: new Set(), isAway: false, count: 0 }
      try {
        for (const [deed, at] of deeds) await live(world, deed, at)
        setAway(world, false)
        for (let round = 0; round < 2; round++)
          for (const replica of world.replicas) {
            assert.is(await replica.pull(), null)
            assert.is(await replica.push(), null)
          }
        for (const replica of world.replicas) assert.is(await replica.pull(), null)
        const drafts = world.replicas.map(draftIn)
        const ends = drafts.map((draft) => draft && [draft.id, draft.revision, draft.change.value])
        assert.equal(ends[1], ends[0])
        assert.equal(ends[2], ends[0])
        const labels = labelsIn(drafts[0])
        assert.is(new Set(labels).size, labels.length, `doubled: ${labels}`)
        const known = new Set([...labels, ...undoneIn(world.replicas[0] as Replica)])
        const aside = world.replicas.flatMap(asideIn).join()
        for (let each = 0; each < world.count; each++) {
          const label = `s${each}`
          assert.ok(
            known.has(label) || world.given.has(label) || aside.includes(`"${label}"`),
            `lost: ${label}`,
          )
        }
      } finally {
        setAway(world, false)
        for (const replica of world.replicas) await replica.close()
        hub.close()
      }
    }),
    { numRuns: sized(8, 300), seed: SEED, interruptAfterTimeLimit: sized(60_000, 3_600_000) },
  )
})

test.run()
