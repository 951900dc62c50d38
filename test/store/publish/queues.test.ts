import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createQueues } from '../../../src/store/publish/queues.js'

const tasks = fc.array(
  fc.record({
    keys: fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 }),
    turns: fc.nat({ max: 5 }),
    fails: fc.boolean(),
  }),
  { maxLength: 12 },
)

test('Tasks that share a key run in their order and one at a time; each begins as soon as those before it have ended', async () => {
  await fc.assert(
    fc.asyncProperty(tasks, async (all) => {
      const queues = createQueues({ ofKey: 100, all: 100 })
      const ended = new Set<number>()
      const begun = new Set<number>()
      const results = all.map(({ keys, turns, fails }, at) =>
        queues.run(keys, async () => {
          for (const [before, other] of all.slice(0, at).entries())
            if (other.keys.some((key) => keys.includes(key))) assert.ok(ended.has(before))
          begun.add(at)
          for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
          ended.add(at)
          if (fails) throw new Error('as meant')
        }),
      )
      for (const result of results) result?.catch(() => {})
      await new Promise(setImmediate)
      // What waits for nothing has begun.
      for (const [at, { keys }] of all.entries())
        if (!all.slice(0, at).some((other) => other.keys.some((key) => keys.includes(key))))
          assert.ok(begun.has(at))
      await queues.end()
      assert.is(ended.size, all.length)
      const outcomes = await Promise.allSettled(results)
      assert.equal(
        outcomes.map(({ status }) => status === 'rejected'),
        all.map(({ fails }) => fails),
      )
    }),
    { numRuns: 60 },
  )
})

test('A task that would wait behind too many is not taken, and others are', async () => {
  const queues = createQueues({ ofKey: 2, all: 3 })
  const task = () => new Promise<void>((done) => setTimeout(done, 5))
  assert.ok(queues.run(['a'], task))
  assert.ok(queues.run(['a', 'a'], task))
  assert.is(queues.run(['b', 'a'], task), null)
  assert.ok(queues.run(['b'], task))
  assert.is(queues.run(['c'], task), null)
  await queues.end()
  for (const key of ['a', 'b', 'c']) assert.ok(queues.run([key], task))
  await queues.end()
})

test.run()
