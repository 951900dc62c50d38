import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createParser, type Parser, startThread } from '../../../src/store/live/parser.js'
import { menuText, readerOf } from '../opening.js'

/** Longer than it takes until a thread is tried again. */
const LATER_MS = 1_100

interface Watched {
  readonly parser: Parser
  /** The threads that were started. */
  readonly started: readonly Worker[]
  /** Has no thread started, as where every descriptor is taken, or has them started again. */
  readonly refuse: (isRefused: boolean) => void
}

async function withParser(work: (watched: Watched) => Promise<void>): Promise<void> {
  const started: Worker[] = []
  let isRefused = false
  const parser = createParser(readerOf(), (options) => {
    if (isRefused) throw new Error('EMFILE: too many open files')
    const thread = startThread(options)
    started.push(thread)
    return thread
  })
  const refuse = (now: boolean): void => {
    isRefused = now
  }
  try {
    await work({ parser, started, refuse })
  } finally {
    await parser.close()
  }
}

async function nameBy(parser: Parser, name: string): Promise<string | undefined> {
  const file = await parser.aside(`${name}.yaml`, Buffer.from(menuText('main', name)))
  return file.menu?.name
}

test('Where no thread can start, files are parsed here, and a thread is tried again later', async () => {
  await withParser(async ({ parser, started, refuse }) => {
    refuse(true)
    assert.is(await nameBy(parser, 'one'), 'one')
    refuse(false)
    assert.is(await nameBy(parser, 'two'), 'two')
    assert.is(started.length, 0)
    await sleep(LATER_MS)
    assert.is(await nameBy(parser, 'three'), 'three')
    assert.is(started.length, 1)
  })
})

test('When a thread cannot start again, no file is blamed', async () => {
  await withParser(async ({ parser, started, refuse }) => {
    assert.is(await nameBy(parser, 'one'), 'one')
    await started[0]?.terminate()
    refuse(true)
    assert.is(await nameBy(parser, 'two'), 'two')
  })
})

test('A thread that dies takes with it the file that it had, and no other', async () => {
  await withParser(async ({ parser, started }) => {
    assert.is(await nameBy(parser, 'one'), 'one')
    const asked = ['two', 'three', 'four'].map((name) => nameBy(parser, name))
    const ended = started[0]?.terminate()
    const told = await Promise.allSettled(asked)
    await ended
    const lost = told.filter(({ status }) => status === 'rejected')
    // None where it was done with the first before it was ended, and had not begun with the next.
    assert.ok(lost.length <= 1, `${lost.length} lost`)
    const names = told.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    assert.is(names.at(-1), 'four')
    assert.is(started.length, 2)
  })
})

test.run()
