import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { menuscript } from '../../cli/command.js'
import { figure } from '../../support/figures.js'
import { createRepository } from '../../support/repository.js'

const COMMITS = 300

/** Commits that edit one label after the other; every tenth is a merge of a branch that edits another one. */
function toStream(): string {
  const labels = Array.from({ length: 60 }, (_, place) => `Item ${place}`)
  const textOf = (): string =>
    `version: 1\ncode: main\nname: Main\nitems:\n${labels.map((label, at) => `  - label: ${label}\n    url: /${at}\n`).join('')}`
  let stream = ''
  let mark = 0
  let tip = 0
  const commit = (parents: readonly number[]): number => {
    const text = textOf()
    const from = parents.map((each, at) => `${at === 0 ? 'from' : 'merge'} :${each}\n`).join('')
    const name = `c${++mark}`
    stream += `commit refs/heads/main\nmark :${mark}\ncommitter A${mark % 7} <a@example.org> ${mark} +0000\ndata ${name.length}\n${name}\n${from}M 100644 inline menus/main.yaml\ndata ${Buffer.byteLength(text)}\n${text}\n`
    return mark
  }
  while (mark < COMMITS) {
    labels[(mark * 7) % 60] = `Edit ${mark}`
    if (mark % 10 !== 8) {
      tip = commit(tip === 0 ? [] : [tip])
      continue
    }
    const before = [...labels]
    labels[1] = `Side ${mark}`
    const side = commit([tip])
    const changed = labels[1] ?? ''
    labels.splice(0, labels.length, ...before)
    labels[2] = `Main ${mark}`
    tip = commit([tip])
    labels[1] = changed
    tip = commit([tip, side])
  }
  return stream
}

test('Any number of versions of a file are read by few calls of git', async () => {
  const repository = createRepository()
  const { status, stderr } = spawnSync('git', ['fast-import', '--quiet'], {
    cwd: repository.dir,
    input: toStream(),
    encoding: 'utf8',
  })
  assert.is(status, 0, stderr)
  repository.git('checkout', '--quiet', '--force', 'main')
  for (const command of [['blame'], ['log', '--limit', '1000']]) {
    const trace = join(repository.dir, '.git', `trace-${command[0]}`)
    const start = performance.now()
    const { code, stderr } = await menuscript([...command, 'main'], {
      cwd: repository.dir,
      env: { GIT_TRACE: trace },
    })
    assert.equal([code, stderr], [0, ''])
    const seconds = (performance.now() - start) / 1000
    figure(`${command[0]} over ${COMMITS} commits, 30 of them merges, s`, seconds.toFixed(1), 'none')
    const calls = readFileSync(trace, 'utf8').match(/built-in: git .*/g) ?? []
    const reading = calls.filter((call) => / cat-file --batch(\s|$)/.test(call))
    // Blame reads the history alone, log the menus of HEAD as well.
    assert.ok(reading.length <= 2, calls.join('\n'))
    assert.ok(calls.length < 30, `${calls.length} calls of git`)
  }
  repository.close()
})

test.run()
