import { spawnSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Service } from '../../cli/command.js'
import { menuText, nameOf, opened } from '../../store/opening.js'
import { eventually } from '../../support/eventually.js'
import { figure, LONG, timesFigure } from '../../support/figures.js'
import { get } from '../../support/http.js'
import { breakages, goodMenu } from './breakages.js'
import { failuresOf, labelOf, readinessOf, withService } from './live-service.js'
import { servedWhen } from './serving-store.js'
import { replace } from './ways-to-save.js'

const AT_ONCE = 4
const STEPS = 150
const PATIENT = { within: 60_000, every: 40 }
const fixed: number[] = []

/** Takes a service from a good version over a broken one to the next good one, and checks every step. */
async function breakAndMend(
  { url, folder }: Service,
  name: string,
  next: string,
  breakIt: (file: string) => void,
): Promise<void> {
  const file = join(folder.dir, 'menus/main.yaml')
  const failures = await failuresOf(url)
  breakIt(file)
  await eventually(async () => assert.is((await readinessOf(url)).status, 'degraded'), PATIENT)
  const { httpStatus, stale, problems } = await readinessOf(url)
  assert.equal([httpStatus, stale], [200, 1])
  assert.match(problems[0]?.at ?? '', /^main\.yaml:[1-9]\d*:[1-9]\d*$/)
  assert.equal([await labelOf(url), await labelOf(url, 'side')], [name, 'side'])
  assert.is(await failuresOf(url), failures + 1)
  rmSync(file, { recursive: true })
  replace(file, goodMenu(next))
  const start = performance.now()
  await eventually(async () => assert.is(await labelOf(url), next), PATIENT)
  fixed.push(performance.now() - start)
  const healed = await readinessOf(url)
  assert.equal([healed.status, healed.stale, healed.errors], ['ok', 0, 0])
  assert.is(await failuresOf(url), failures + 1)
}

test('A1, A2, A3, A9, A20: 150 broken versions, each between two good ones: menu, /readyz and counter are right at each step', async () => {
  const all = breakages()
  const chosen = LONG
    ? all
    : Array.from({ length: STEPS }, (_, place) => all[Math.floor((place * all.length) / STEPS)])
  const queue = [...chosen.entries()]
  const run = (): Promise<void> =>
    withService({ 'main.yaml': goodMenu('v0'), 'side.yaml': menuText('side') }, async (service) => {
      let name = 'v0'
      for (let step = queue.shift(); step !== undefined; step = queue.shift()) {
        const [place, breakage] = step
        if (breakage === undefined) continue
        try {
          await breakAndMend(service, name, `v${place + 1}`, (file) => replace(file, breakage.content))
        } catch (thrown) {
          throw new Error(`${breakage.what}: ${(thrown as Error).message}`, { cause: thrown })
        }
        name = `v${place + 1}`
      }
    })
  await Promise.all(Array.from({ length: AT_ONCE }, run))
  figure('last good', `${fixed.length} of ${chosen.length} broken versions`, 'all, 150 at least')
  assert.ok(fixed.length >= STEPS)
})

/** What may take the place of a file, at once: what is away for longer than a file settles is deleted. */
const INTRUDERS: readonly (readonly [what: string, make: (file: string) => void])[] = [
  ['a folder', (file) => instead(file, mkdirSync)],
  ['a pipe', (file) => renameSync(pipeBeside(file), file)],
  ['a link out of the folder', (file) => instead(file, (at) => symlinkSync('../outside.yaml', at))],
  ['a link to nowhere', (file) => instead(file, (at) => symlinkSync('nowhere', at))],
  ['a link to itself', (file) => instead(file, (at) => symlinkSync('main.yaml', at))],
]

function instead(file: string, make: (file: string) => void): void {
  rmSync(file)
  make(file)
}

function pipeBeside(file: string): string {
  const pipe = join(dirname(file), '../pipe')
  assert.is(spawnSync('mkfifo', [pipe]).status, 0)
  return pipe
}

test('A23, A27: when anything replaces a file, its last good version is served until there is a file again', async () => {
  await withService({ 'main.yaml': goodMenu('v0'), 'side.yaml': menuText('side') }, async (service) => {
    service.folder.write('outside.yaml', goodMenu('outside'))
    for (const [place, [what, make]] of INTRUDERS.entries()) {
      await breakAndMend(service, `v${place}`, `v${place + 1}`, make).catch((thrown: unknown) => {
        throw new Error(`${what}: ${(thrown as Error).message}`, { cause: thrown })
      })
    }
  })
})

test('A1: a fixed file is live in half a second', () => {
  assert.ok(timesFigure('recovery, fixed file live', fixed, '500 ms') < 5_000)
})

test('A2: a file of the wrong shape is reported with a suggestion, in the log with its line, and others load', async () => {
  await withService({ 'main.yaml': goodMenu('v0') }, async ({ url, folder, waitFor }) => {
    folder.write('menus/main.yaml', goodMenu('v1').replace('url: /sales', 'ulr: /sales'))
    folder.write('menus/side.yaml', menuText('side'))
    await waitFor(/"event":"menu_problem","code":"unknown-key","path":"main\.yaml","line":13,"column":9/)
    await eventually(async () => assert.is(await labelOf(url, 'side'), 'side'))
    const { text } = await get(`${url}/readyz`)
    assert.match(text, 'Did you mean')
    assert.is(await labelOf(url), 'v0')
  })
})

test('A20: a NUL that is written as an escape is refused as one that is written as such', async () => {
  await opened({ 'main.yaml': menuText('main', 'good') }, async ({ folder, store }) => {
    folder.write('main.yaml', menuText('main', 'good').replace('label: good', 'label: "go\\0od"'))
    await servedWhen(store, ({ problems }) => problems.length > 0, { what: 'A problem' })
    assert.is(nameOf(store), 'good')
  })
})

test.run()
