import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createOutbox, type Kept, type Outbox, type Reply } from '../../../src/dashboard/browser/outbox.js'

const UNDO = { page: 'edit', query: {}, fields: { do: 'undo' } } as const

/** A draft that counts its revisions, takes a step once for each key, and answers the next requests as a test asks. */
function createDraft(...fates: readonly ('lost' | 'unheard' | 'refused')[]) {
  const steps: string[] = []
  const left = [...fates]
  const send = async (state: string, { key }: { readonly key: string }): Promise<Reply> => {
    const fate = left.shift()
    if (fate === 'unheard') return { kind: 'later', reason: null }
    const isKnown = steps.includes(key)
    if (fate === 'refused' || (!isKnown && state !== String(steps.length)))
      return { kind: 'refused', reason: 'changed' }
    if (!isKnown) steps.push(key)
    return fate === 'lost'
      ? { kind: 'later', reason: null }
      : { kind: 'done', changes: 0, marks: {}, state: String(steps.length) }
  }
  return { steps, send }
}

function open(draft: ReturnType<typeof createDraft>, found: Kept = { state: '0', unsent: [] }) {
  const log: { kept: Kept | null; replies: string[] } = { kept: null, replies: [] }
  let key = 0
  const outbox: Outbox = createOutbox(
    {
      send: draft.send,
      keep: (kept) => {
        log.kept = kept === null ? null : structuredClone(kept)
      },
      wait: () => Promise.resolve(),
      toKey: () => `k${key++}`,
      onReply: ({ kind }) => log.replies.push(kind),
    },
    found,
  )
  return { outbox, log }
}

test('Steps arrive in their order, each once, whatever is lost on the way', async () => {
  const draft = createDraft('unheard', 'lost', 'unheard', 'lost')
  const { outbox, log } = open(draft)
  for (let step = 0; step < 3; step++) outbox.add(UNDO)
  assert.is(outbox.count(), 3)
  await outbox.whenEmpty()
  assert.equal(draft.steps, ['k0', 'k1', 'k2'])
  assert.is(outbox.state(), '3')
  assert.is(log.kept, null)
})

test('A refused step takes those behind it along: they were made on top of it', async () => {
  const draft = createDraft('refused')
  const { outbox, log } = open(draft)
  outbox.add(UNDO)
  outbox.add(UNDO)
  await outbox.whenEmpty()
  assert.equal(draft.steps, [])
  assert.equal([outbox.count(), log.kept, log.replies], [0, null, ['refused']])
})

test('What a page could not send is sent by the next one, once, even if it had arrived', async () => {
  const draft = createDraft('lost')
  const first = open(draft)
  first.outbox.add(UNDO)
  const { kept } = first.log
  await first.outbox.whenEmpty()
  assert.ok(kept !== null)
  const { outbox } = open(draft, kept)
  await outbox.whenEmpty()
  assert.equal([draft.steps, outbox.state()], [['k0'], '1'])
})

test('A step that is added while others are on their way is not forgotten', async () => {
  const draft = createDraft()
  const { outbox } = open(draft)
  outbox.add(UNDO)
  await Promise.resolve()
  outbox.add(UNDO)
  await outbox.whenEmpty()
  outbox.add(UNDO)
  await outbox.whenEmpty()
  assert.is(draft.steps.length, 3)
})

test.run()
