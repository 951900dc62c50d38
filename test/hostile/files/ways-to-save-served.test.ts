import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../../support/eventually.js'
import { timesFigure } from '../../support/figures.js'
import { longestPart, whenQuick } from '../../support/writers.js'
import { createVisitor, labelOf, readinessOf, withService } from './live-service.js'
import { longMenu } from './serving-store.js'
import { WAYS_TO_SAVE } from './ways-to-save.js'

const ITEMS = 60
/** Seconds between two rescans of the timer: changes were found by an event. */
const RARELY = 3_600
const CHOSEN = [
  'vim',
  'Emacs',
  'nano, VS Code, cp, a shell',
  'rsync',
  'rsync --inplace',
  'scp',
  'tar, git, kubectl cp',
]

/** The versions that an answer has parts of, and of how many items. */
function partsOf(text: string): string {
  const labels = (JSON.parse(text) as { label: string }[]).map(({ label }) => label.split(' ')[0])
  return `${labels.length} of ${[...new Set(labels)].join(' and ')}`
}

test('A4, A18: over HTTP, too, every answer is one saved version as a whole, with every way to save', async () => {
  await withService(
    { 'main.yaml': longMenu('main', 'v0', ITEMS) },
    async ({ url, folder, stderr }) => {
      const file = join(folder.dir, 'menus/main.yaml')
      const visitor = createVisitor(url, '/api/menu/main', 1)
      const times: number[] = []
      let version = 0
      await eventually(() => assert.is(partsOf(visitor.answers[0]?.text ?? '[]'), `${ITEMS} of v0`))
      for (const [program, save] of WAYS_TO_SAVE.filter(([program]) => CHOSEN.includes(program))) {
        const { name, answers, told } = await whenQuick(async () => {
          const name = `v${++version}`
          const [answered, said] = [visitor.answers.length, stderr().length]
          const longest = await longestPart(file, () => save(file, longMenu('main', name, ITEMS)))
          const start = performance.now()
          await eventually(async () => assert.is(await labelOf(url), `${name} 0`, program))
          times.push(performance.now() - start)
          await eventually(() => assert.match(visitor.answers.at(-1)?.text ?? '', `"${name} 0"`))
          return {
            longest,
            result: { name, answers: visitor.answers.slice(answered), told: stderr().slice(said) },
          }
        })
        assert.equal(
          answers.map(({ status, text }) => `${status} ${partsOf(text)}`),
          [`200 ${ITEMS} of ${name}`],
          program,
        )
        assert.not.match(told, /"level":"(error|warn)"/)
      }
      await visitor.end()
      const { answers } = visitor
      // Each body has its own tag and its own version.
      const bodies = new Set(answers.map(({ text }) => text)).size
      assert.is(new Set(answers.map(({ etag }) => etag)).size, bodies)
      assert.is(new Set(answers.map(({ version }) => version)).size, bodies)
      assert.is((await readinessOf(url)).status, 'ok')
      assert.ok(timesFigure('ways of saving, over HTTP', times, 'p50 150 ms, p99 500 ms') < 5_000)
    },
    RARELY,
  )
})

test.run()
