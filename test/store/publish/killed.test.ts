import { cpSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { figure, sized } from '../../support/figures.js'
import { createLargeFolder } from '../../support/menus-folder.js'
import { type Running, startProcess } from '../../support/process.js'
import { programOf } from '../../support/programs.js'
import { DRAFTED, numbered, numberedText, PATHS, ROUND, toNumber } from './numbered.js'
import { openParts } from './try-publish.js'

// A process numbers three menus in turn, and a draft, one higher each time, and tells what was acknowledged. It is stopped
// at random moments: where it stands then, kill -9 would leave the same on the disk (SIGSTOP cannot be caught, either). Each
// time a copy of that is judged and opened as after a restart. Now and then it is killed in earnest. Power cuts are another
// matter, of the order of calls: see faults.test.ts.

const STOPS = sized(500, 10_000)
/** Each so many-th stop is a kill. */
const KILL_EVERY = 25
const LONGEST_RUN_MS = 4

const codeOf = (path: string): string => basename(path, '.yaml')

async function start(dir: string, last: number): Promise<Running> {
  const program = programOf('store/publish/publish-on.program.ts')
  const child = startProcess(process.execPath, [...program, dir, `${last}`])
  await child.waitFor(/begins/)
  return child
}

/** The numbers that were told: of the draft, and of the menus. */
function toldIn(dir: string): readonly [drafted: number, published: number] {
  const text = readFileSync(join(dir, 'told'), 'utf8')
  return [Number(text.slice(0, 9)), Number(text.slice(9))]
}

const sleeper = new Int32Array(new SharedArrayBuffer(4))

/** Stops a process, and waits until it stands still. */
function freeze({ pid, send }: Running): void {
  send('SIGSTOP')
  while (!/\) T/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) Atomics.wait(sleeper, 0, 0, 0.05)
}

/** The number of a text, which is whole. */
function numberIn(path: string, text: Uint8Array | null): number {
  const found = `${Buffer.from(text ?? [])}`
  const number = Number(/^name: "(\d+)"$/m.exec(found)?.[1])
  assert.is(found, numberedText(codeOf(path), number))
  return number
}

const strays = (dir: string): readonly string[] =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tmp'))

/** What a process that began anew ten seconds later would find is whole, and all that was told is in it. */
async function judge(dir: string): Promise<{ readonly wasSaving: boolean; readonly next: number }> {
  const left = strays(dir)
  for (const name of left) utimesSync(join(dir, name), new Date(0), new Date(0))
  const [drafted, published] = toldIn(dir)
  const { versions, drafts, publisher } = openParts(dir)
  const { length } = PATHS
  for (const [place, path] of PATHS.entries()) {
    const latest = (upTo: number): number => Math.max(0, upTo - ((upTo - place + length) % length))
    const number = numberIn(path, readFileSync(join(dir, 'menus', path)))
    assert.ok([published, published + 1].map(latest).includes(number), `${path}: ${number} of ${published}`)
    for (const { id } of versions.list(path)) numberIn(path, versions.read(id))
  }
  const [draft, ...others] = drafts.list()
  assert.is(others.length, 0)
  const values = [drafted, drafted + 1].map((each) => JSON.stringify(parse(numberedText('drafted', each))))
  // At the end of a round it is discarded.
  if (drafted % ROUND !== 0)
    assert.ok(values.includes(JSON.stringify(draft?.change.value)), `draft ${drafted}`)
  assert.equal(strays(join(dir, 'menus')), [])
  const next = published + 1
  const { value: opened } = drafts.open('ana', DRAFTED.path, DRAFTED.text)
  const ref = { id: opened?.id ?? '', user: 'ana', revision: null }
  assert.is(drafts.edit(ref, toNumber(next)).fault, null)
  const path = PATHS[next % length] ?? ''
  const edit = numbered(path, readFileSync(join(dir, 'menus', path)), next)
  assert.is((await publisher.publish([edit], { author: 'eva' })).fault, null)
  writeFileSync(join(dir, 'told'), [next, next].map((each) => `${each}`.padStart(9)).join(''))
  return { wasSaving: left.length > 0, next }
}

test('B1: whenever a process that saves is killed, each file is whole, what was acknowledged is there, and strays go', async () => {
  const texts = PATHS.map((path) => [`menus/${path}`, numberedText(codeOf(path), 0)])
  const { dir, close } = createLargeFolder({ ...Object.fromEntries(texts), told: ''.padStart(18, '0') })
  let child = await start(dir, 0)
  let [saving, last] = [0, 0]
  try {
    for (let stop = 1; stop <= STOPS; stop++) {
      Atomics.wait(sleeper, 0, 0, Math.random() * LONGEST_RUN_MS)
      freeze(child)
      const copy = createLargeFolder()
      cpSync(dir, copy.dir, { recursive: true })
      const judged = await judge(copy.dir)
      copy.close()
      if (judged.wasSaving) saving++
      last = judged.next
      if (stop % KILL_EVERY === 0 || stop === STOPS) {
        child.send('SIGKILL')
        assert.is((await child.ended).signal, 'SIGKILL', child.stderr())
        last = (await judge(dir)).next
        child = await start(dir, last)
      } else child.send('SIGCONT')
    }
  } finally {
    child.send('SIGKILL')
    await child.ended
  }
  figure(`${STOPS} stops of a process that saves, in the middle of a save`, `${saving}`, 'many')
  assert.ok(saving > 0)
  assert.ok(last > 0)
  close()
})

test.run()
