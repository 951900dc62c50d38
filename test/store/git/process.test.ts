import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createGit } from '../../../src/store/git/process.js'
import { readTrace } from '../../support/git-trace.js'
import { inRepository } from '../../support/repository.js'

test('Up to four processes of git run at a time, and each call has its own answer', async () => {
  await inRepository({ 'a.yaml': 'a' }, async ({ dir }) => {
    const trace = join(dir, 'trace')
    const run = createGit(dir, { GIT_TRACE2_EVENT: trace })
    const calls = Array.from({ length: 40 }, (_, place) => run(['hash-object', '--stdin'], String(place)))
    const hashes = (await Promise.all(calls)).map(({ stdout }) => stdout.toString())
    assert.is(new Set(hashes).size, 40)
    const { started, most } = readTrace(trace)
    assert.is(started, 40)
    assert.ok(most > 1 && most <= 4, String(most))
  })
})

test('A call that waits when the service stops starts no process', async () => {
  await inRepository({ 'a.yaml': 'a' }, async ({ dir }) => {
    const stopping = new AbortController()
    const trace = join(dir, 'trace')
    const run = createGit(dir, { GIT_TRACE2_EVENT: trace }, { signal: stopping.signal })
    const calls = Array.from({ length: 20 }, () => run(['rev-parse', 'HEAD']))
    await calls[0]
    stopping.abort()
    const answers = await Promise.all(calls)
    const left = answers.filter(({ stderr }) => stderr.includes('the service is stopping'))
    assert.ok(left.length >= 12, String(left.length))
    assert.ok(readTrace(trace).started <= 8)
  })
})

test.run()
