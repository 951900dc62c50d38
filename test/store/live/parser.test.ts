import { setTimeout as sleep } from 'node:timers/promises'
import threads, { Worker } from 'node:worker_threads'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createParser, type Parser } from '../../../src/store/live/parser.js'
import { withReplaced } from '../../support/with-replaced.js'
import { menuText, readerOf } from '../opening.js'

/** Longer than it takes until a thread is tried again. */
const LATER_MS = 1_100
const started: Worker[] = []

/** A thread as it is, noted. */
class Noted extends Worker {
  constructor(...words: ConstructorParameters<typeof Worker>) {
    super(...words)
    started.push(this)
  }
}

/** No thread, as where every descriptor is taken. */
const Refused = new Proxy(Worker, {
  construct: () => {
    throw new Error('EMFILE: too many open files')
  },
})

async function withParser(work: (parser: Parser) => Promise<void>): Promise<void> {
  const parser = createParser(readerOf())
  started.length = 0
  try {
    await withReplaced(threads, { Worker: Noted }, () => work(parser))
  } finally {
    await parser.close()
  }
}

async function nameBy(parser: Parser, name: string): Promise<string | undefined> {
  const file = await parser.aside(`${name}.yaml`, Buffer.from(menuText('main', name)))
  return file.menu?.name
}

test('Where no thread can be started, files are parsed here, and it is tried again later', async () => {
  await withParser(async (parser) => {
    await withReplaced(threads, { Worker: Refused }, async () => {
      assert.is(await nameBy(parser, 'one'), 'one')
    })
    assert.is(await nameBy(parser, 'two'), 'two')
    assert.is(started.length, 0)
    await sleep(LATER_MS)
    assert.is(await nameBy(parser, 'three'), 'three')
    assert.is(started.length, 1)
  })
})

test('Where a thread cannot be started again, that is blamed on no file', async () => {
  await withParser(async (parser) => {
    assert.is(await nameBy(parser, 'one'), 'one')
    await started[0]?.terminate()
    await withReplaced(threads, { Worker: Refused }, async () => {
      assert.is(await nameBy(parser, 'two'), 'two')
    })
  })
})

test('A thread that dies takes with it the file that it had, and no other', async () => {
  await withParser(async (parser) => {
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
