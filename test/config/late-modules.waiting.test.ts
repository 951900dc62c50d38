import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { loadHooks, onlyProblemOf, toLine } from './loading.js'

const PROMISED_MS = 10_000
const NEVER = 'await new Promise(() => {})\nexport default {}\n'

test('config-file: a module that never finishes loading is reported after ten seconds', async () => {
  const start = performance.now()
  const [{ problems }, ofFile] = await Promise.all([
    loadHooks(NEVER),
    onlyProblemOf({ 'menuscript.config.mjs': NEVER }),
  ])
  const took = performance.now() - start
  console.log(`    ${Math.round(took)} ms (promised: ${PROMISED_MS} ms)`)
  assert.ok(took < 10 * PROMISED_MS)
  assert.equal(problems.map(toLine), ['policies.mjs:1 config-file'])
  assert.is(toLine(ofFile), 'menuscript.config.mjs:1 config-file')
  for (const { what } of [...problems, ofFile]) assert.match(what, 'did not finish loading')
})

test.run()
