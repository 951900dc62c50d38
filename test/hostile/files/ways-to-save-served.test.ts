import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../../support/eventually.js'
import { timesFigure } from '../../support/figures.js'
import { createVisitor, labelOf, readinessOf, withService } from './live-service.js'
import { longMenu } from './serving-store.js'
import { WAYS_TO_SAVE } from './ways-to-save.js'

const ITEMS = 60
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

test('A4, A18: over HTTP, too, every answer is one saved version as a whole, whatever saves it', async () => {
  await withService({ 'main.yaml': longMenu('main', 'v0', ITEMS) }, async ({ url, folder, stderr }) => {
    const visitor = createVisitor(url, '/api/menu/main', 1)
    const times: number[] = []
    const names = ['v0']
    for (const [program, save] of WAYS_TO_SAVE.filter(([program]) => CHOSEN.includes(program))) {
      const name = `v${names.length}`
      await save(join(folder.dir, 'menus/main.yaml'), longMenu('main', name, ITEMS))
      const start = performance.now()
      await eventually(async () => assert.is(await labelOf(url), `${name} 0`, program))
      times.push(performance.now() - start)
      names.push(name)
    }
    await eventually(() => assert.match(visitor.answers.at(-1)?.text ?? '', names.at(-1) ?? ''))
    await visitor.end()
    assert.equal(
      visitor.answers.map(({ status, text }) => `${status} ${partsOf(text)}`),
      names.map((name) => `200 ${ITEMS} of ${name}`),
    )
    // Each body has its own tag and its own version.
    assert.is(new Set(visitor.answers.map(({ etag }) => etag)).size, names.length)
    assert.is(new Set(visitor.answers.map(({ version }) => version)).size, names.length)
    assert.is((await readinessOf(url)).status, 'ok')
    assert.not.match(stderr(), /"level":"(error|warn)"/)
    assert.ok(timesFigure('ways of saving, over HTTP', times, 'p50 150 ms, p99 500 ms') < 5_000)
  })
})

test.run()
