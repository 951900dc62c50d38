import type { EventEmitter } from 'node:events'

/** What a hook of a policies module in this process returns to wait until the test lets it go on. */
export const HELD: string = "new Promise((done) => process.emit('held', done))"

/** Does something with the hooks that wait, each of which goes on when it is called. */
export async function withHeld(work: (held: readonly (() => void)[]) => Promise<void>): Promise<void> {
  const held: (() => void)[] = []
  const take = (done: () => void): void => void held.push(done)
  const emitter: EventEmitter = process
  emitter.on('held', take)
  try {
    await work(held)
  } finally {
    emitter.off('held', take)
    for (const done of held) done()
  }
}
