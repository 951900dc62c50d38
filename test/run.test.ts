import { chmodSync, readFileSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createMenusFolder } from './support/menus-folder.js'
import { runProcess } from './support/process.js'
import { programOf } from './support/programs.js'
import { yaml as source } from './support/yaml.js'

const GOOD = source`
  import { test } from 'uvu'
  test('holds', () => {})
  test('holds too', () => {})
  test.run()
`

const SLOW = GOOD.replace('() => {}', '() => new Promise((done) => setTimeout(done, 500))')

/** Runs the runner on test files of our own making, and gives its exit code, its lines and the last one. */
function run(files: Record<string, string>, ...args: string[]) {
  return runWith({}, files, ...args)
}

async function runWith(env: Record<string, string>, files: Record<string, string>, ...args: string[]) {
  const folder = createMenusFolder({ ...files, 'package.json': '{ "type": "module" }' })
  symlinkSync(resolve('node_modules'), join(folder.dir, 'node_modules'), 'dir')
  const given = [...programOf('support/runner.program.ts'), '--dir', folder.dir, ...args]
  const { code, stdout, stderr } = await runProcess('node', given, { env })
  folder.close()
  const lines = stdout.trimEnd().split('\n')
  return { code, stdout, stderr, lines, last: lines.at(-1) }
}

test('Passing files are counted in the last line', async () => {
  const { code, last, stdout } = await run({ 'a.test.ts': GOOD, 'deep/er/b.test.ts': GOOD, 'helper.ts': '!' })
  assert.is(code, 0, stdout)
  assert.is(last, '4 passed, 0 failed, 0 skipped')
  assert.match(stdout, /^ok {4}deep\/er\/b\.test\.ts {2}2 passed {2}\d+ ms$/m)
})

test('A failing test fails the run, and all that its file printed is shown', async () => {
  const bad = GOOD.replace('() => {}', "() => { console.log('a clue'); throw new Error('broken rule') }")
  const { code, last, stdout } = await run({ 'a.test.ts': GOOD, 'b.test.ts': bad })
  assert.is(code, 1)
  assert.is(last, '3 passed, 1 failed, 0 skipped')
  assert.match(stdout, /^FAIL {2}b\.test\.ts/m)
  assert.match(stdout, 'broken rule')
  assert.match(stdout, 'a clue')
})

test('With --bail no further file is started once one has failed', async () => {
  const bad = GOOD.replace('() => {}', "() => { throw new Error('broken rule') }")
  const rest = Object.fromEntries(['b', 'c', 'd', 'e', 'f', 'g'].map((name) => [`${name}.test.ts`, SLOW]))
  const { code, lines } = await run({ 'a.test.ts': bad, ...rest }, '--bail')
  assert.is(code, 1)
  assert.is(lines.filter((line) => line.startsWith('FAIL')).length, 1)
  assert.ok(lines.filter((line) => line.startsWith('ok')).length < 6)
})

const FAULTY: Record<string, readonly [text: string, reason: RegExp]> = {
  'a forgotten .run()': [GOOD.replace('test.run()', ''), /lacks test\.run\(\)/],
  'a suite without .run() beside one that has it': [
    GOOD.replace('{ test }', '{ suite, test }').concat(
      "const more = suite('more')\nmore('lost', () => {})\n",
    ),
    /lacks more\.run\(\)/,
  ],
  'a test behind the last .run()': [`${GOOD}test('lost', () => {})\n`, /lacks test\.run\(\)/],
  'no test at all': ["import { test } from 'uvu'\ntest.run()\n", /has no test/],
  'nothing of uvu': ['export const a = 1\n', /has no test/],
  'no content': ['', /has no test/],
  'a leaked .only': [GOOD.replace('test(', 'test.only('), /has an \.only/],
  'an .only on its single test': [
    "import { test } from 'uvu'\ntest.only('a', () => {})\ntest.run()\n",
    /has an \.only/,
  ],
  'a skipped test': [GOOD.replace('test(', 'test.skip('), /1 of its tests are skipped/],
  'a before() that throws': [
    GOOD.replace('test(', "test.before(() => { throw new Error('no ground') })\ntest("),
    /2 of its tests did not pass/,
  ],
  'a crash while it loads': [`throw new Error('crash')\n${GOOD}`, /exit code 1/],
  'an exit in the middle of a test': [GOOD.replace('() => {}', '() => process.exit(0)'), /without a summary/],
  'an exit code of its own': [
    GOOD.replace('() => {}', '() => void setTimeout(() => process.exit(3), 50)'),
    /3/,
  ],
}

test('A file with any of these faults fails, with the reason', async () => {
  const names = Object.keys(FAULTY).map((what) => `${what.replaceAll(/\W+/g, '-')}.test.ts`)
  const faulty = Object.values(FAULTY)
  const { code, lines } = await run(Object.fromEntries(names.map((name, n) => [name, faulty[n]?.[0] ?? ''])))
  assert.is(code, 1)
  for (const [n, name] of names.entries()) {
    const line = lines.find((each) => each.includes(name)) ?? ''
    assert.match(line, /^FAIL .* [1-9]\d* failed/)
    assert.match(line, faulty[n]?.[1] ?? '')
  }
})

test('A single faulty file fails the run, for any of the faults', async () => {
  for (const text of ['', 'export const a = 1\n', GOOD.replace('test.run()', '')]) {
    const { code, last } = await run({ 'faulty.test.ts': text })
    assert.is(code, 1)
    assert.match(last ?? '', /^0 passed, 1 failed, 0 skipped$/)
  }
})

test('Files of a folder share a process, and one that ends it fails with those behind it', async () => {
  const own = GOOD.replace('() => {}', '() => console.log("process", process.pid)').replace(
    "'holds too', () => {}",
    "'fails', () => { throw new Error('to be shown') }",
  )
  const crash = GOOD.replace('() => {}', '() => process.exit(0)')
  const { stdout, last } = await run({
    'model/a.test.ts': own,
    'model/b.test.ts': own,
    'model/c.test.ts': crash,
    'model/d.test.ts': GOOD,
    'change/e.test.ts': GOOD,
  })
  const [a, b] = [...stdout.matchAll(/process (\d+)/g)].map(([, pid]) => pid)
  assert.is(a, b)
  assert.match(stdout, /^FAIL {2}model\/b\.test\.ts {2}1 passed, 1 failed/m)
  assert.match(stdout, /\/model\/b\.test\.ts:3:\d+/)
  assert.match(stdout, /^FAIL {2}model\/c\.test\.ts .* without a summary/m)
  assert.match(stdout, /^FAIL {2}model\/d\.test\.ts .* without a summary/m)
  assert.is(last, '4 passed, 4 failed, 0 skipped')
})

test('A file that does not end is killed when its time is over, with all that it started', async () => {
  const folder = createMenusFolder({ 'beat.cjs': '', beats: '' })
  const beats = join(folder.dir, 'beats')
  folder.write(
    'beat.cjs',
    `setInterval(() => require('fs').appendFileSync(${JSON.stringify(beats)}, '.'), 20)`,
  )
  const hang = source`
    import { spawn } from 'node:child_process'
    import { test } from 'uvu'
    test('starts a child', () => void spawn(process.execPath, [${JSON.stringify(join(folder.dir, 'beat.cjs'))}]))
    test.run()
    setInterval(() => {}, 1000)
  `
  let before = ''
  // On a busy machine it takes a while until the child is there.
  for (const limit of [2_500, 10_000, 40_000]) {
    const { code, stdout } = await run({ 'hang.test.ts': hang }, '--timeout', String(limit))
    assert.is(code, 1)
    assert.match(stdout, new RegExp(`^FAIL {2}hang\\.test\\.ts .* it did not end within ${limit} ms`, 'm'))
    before = readFileSync(beats, 'utf8')
    if (before.length > 0) break
  }
  await sleep(200)
  assert.ok(before.length > 0)
  assert.is(readFileSync(beats, 'utf8'), before)
  folder.close()
})

test('A filter chooses files by a part of their path, and one that matches nothing fails the run', async () => {
  const files = { 'model/a.test.ts': GOOD, 'http/b.test.ts': GOOD }
  assert.is((await run(files, 'model')).last, '2 passed, 0 failed, 0 skipped')
  const { code, stdout } = await run(files, 'model', 'modle')
  assert.is(code, 1)
  assert.match(stdout, /^FAIL {2}No test file has modle in its path\.$/m)
})

test('A folder without test files fails, and files under fixtures and bench do not count', async () => {
  const { code, last } = await run({ 'fixtures/a.test.ts': GOOD, 'bench/b.test.ts': GOOD })
  assert.is(code, 1)
  assert.is(last, '0 passed, 1 failed, 0 skipped')
})

test('Files that need to be alone run after the others, one by one', async () => {
  const alone = GOOD.replace('() => {}', '() => new Promise((done) => setTimeout(done, 300))')
  const { lines } = await run({ 'a.alone.test.ts': alone, 'b.alone.test.ts': GOOD, 'c.test.ts': GOOD })
  const order = lines.map((line) => /(\w)\.(?:alone\.)?test\.ts/.exec(line)?.[1]).filter(Boolean)
  assert.equal(order, ['c', 'a', 'b'])
})

test('Waiting files run next to the others, two at a time', async () => {
  const marks = createMenusFolder()
  const file = (name: string) => JSON.stringify(join(marks.dir, name))
  /** Leaves a mark and waits for another one. */
  const meeting = (own: string, other: string) => source`
    import { existsSync, writeFileSync } from 'node:fs'
    import { test } from 'uvu'
    test('meets another file', async () => {
      writeFileSync(${file(own)}, '')
      const until = Date.now() + 60_000
      while (!existsSync(${file(other)})) {
        if (Date.now() > until) throw new Error('It does not begin.')
        await new Promise((done) => setTimeout(done, 20))
      }
      await new Promise((done) => setTimeout(done, 300))
      writeFileSync(${file('over')}, '')
    })
    test.run()
  `
  const third = source`
    import { existsSync, writeFileSync } from 'node:fs'
    import { test } from 'uvu'
    writeFileSync(${file('third')}, '')
    test('begins when one of the others is over', () => {
      if (!existsSync(${file('over')})) throw new Error('None is.')
    })
    test.run()
  `
  const busy = meeting('busy', 'third')
  const { last } = await run({
    'a.test.ts': busy,
    'b.test.ts': busy,
    'c.test.ts': busy,
    'd.waiting.test.ts': meeting('d', 'e'),
    'e.waiting.test.ts': meeting('e', 'd'),
    'f.waiting.test.ts': third,
  })
  assert.is(last, '6 passed, 0 failed, 0 skipped')
  marks.close()
})

test('--no-browser leaves out the browser tests, and reports how many', async () => {
  const { code, lines } = await run({ 'browser/a.test.ts': '!', 'b.test.ts': GOOD }, '--no-browser')
  assert.is(code, 0)
  assert.is(lines[0], 'left out by --no-browser: 1 files')
  assert.is(lines.at(-1), '2 passed, 0 failed, 0 skipped')
})

test('Without a Chromium the browser tests fail with one line of advice, and the others run', async () => {
  const files = { 'browser/a.test.ts': '!', 'browser/b.test.ts': '!', 'b.test.ts': GOOD }
  const { code, lines } = await runWith({ CHROME_PATH: '/nowhere/chromium' }, files)
  assert.is(code, 1)
  assert.match(lines[0] ?? '', /^FAIL {2}CHROME_PATH names no program: \/nowhere\/chromium\. .*--no-browser/)
  assert.equal([lines.length, lines.at(-1)], [3, '2 passed, 1 failed, 0 skipped'])
})

test('Browser tests learn which Chromium exists', async () => {
  const told = GOOD.replace('() => {}', '() => { if (!process.env.CHROME_PATH) throw new Error() }')
  const { code, stdout } = await runWith({ CHROME_PATH: process.execPath }, { 'browser/a.test.ts': told })
  assert.is(code, 0, stdout)
})

test('E24: What starts `node` by its name gets the Node that runs the tests', async () => {
  const other = createMenusFolder({ node: '#!/bin/sh\nexit 3\n' })
  chmodSync(join(other.dir, 'node'), 0o755)
  const asking = source`
    import { execFileSync } from 'node:child_process'
    import { test } from 'uvu'
    test('asks', () => {
      const found = execFileSync('sh', ['-c', 'node --print process.execPath'], { encoding: 'utf8' })
      if (found.trim() !== ${JSON.stringify(process.execPath)}) throw new Error(found)
    })
    test.run()
  `
  const { code, stdout } = await runWith(
    { PATH: `${other.dir}:${process.env['PATH']}` },
    { 'a.test.ts': asking },
  )
  other.close()
  assert.is(code, 0, stdout)
})

test('--help explains, and an unknown flag or a bad time limit is a usage error', async () => {
  const help = await runProcess('node', ['--import', 'tsx', 'test/run.ts', '--help'])
  assert.is(help.code, 0)
  assert.match(help.stdout, 'Usage: node --import tsx test/run.ts')
  for (const args of [['--nobrowser'], ['--timeout', 'soon']]) {
    const { code, stderr } = await run({}, ...args)
    assert.is(code, 2)
    assert.match(stderr, args[0] ?? '')
  }
})

test.run()
