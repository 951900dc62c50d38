import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { figure, sized } from '../../support/figures.js'
import { createLargeFolder } from '../../support/menus-folder.js'
import { programOf } from '../../support/programs.js'
import { DRAFTED, numbered, numberedText, PATHS, ROUND, toNumber } from './numbered.js'
import { openParts } from './try-publish.js'

// A process numbers three menus in turn, and a draft, one higher each time, and tells what was acknowledged. It is killed at
// a random moment, and another one goes on in the same folder. Power cuts are another matter, of the order of calls:
// see faults.test.ts.

const KILLS = sized(80, 10_000)
/** About one in a hundred is in the middle of a save. Until one was, it goes on, at most so often. */
const MOST_KILLS = 25 * KILLS
/** Folders in which that happens beside each other: a process takes longer to start than to be killed. */
const FOLDERS = 4
/** A process publishes some ten times meanwhile; its first publishes take the longest. */
const LONGEST_RUN_MS = 30

const codeOf = (path: string): string => basename(path, '.yaml')

const children = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

/** A process that waits to be told where to begin. */
function prepare(): ChildProcess {
  const program = programOf('store/publish/publish-on.program.ts')
  const child = spawn(process.execPath, program, { stdio: ['pipe', 'pipe', 'inherit'] })
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

/** Lets a process publish in a folder, and kills it. */
async function runAndKill(child: ChildProcess, dir: string, last: number): Promise<void> {
  const ended = once(child, 'exit')
  const begun = once(child.stdout ?? child, 'data')
  child.stdin?.write(JSON.stringify([dir, last]))
  await Promise.race([begun, ended])
  await sleep(Math.random() * LONGEST_RUN_MS)
  child.kill('SIGKILL')
  const [, signal] = (await ended) as [number | null, string | null]
  assert.is(signal, 'SIGKILL')
}

/** The numbers that were told: of the draft, and of the menus. */
function toldIn(dir: string): readonly [drafted: number, published: number] {
  const text = readFileSync(join(dir, 'told'), 'utf8')
  return [Number(text.slice(0, 9)), Number(text.slice(9))]
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

/** Makes what a killed process left as old as if ten seconds had passed. */
function age(dir: string, left: readonly string[]): void {
  for (const name of left) utimesSync(join(dir, name), new Date(0), new Date(0))
}

/** What the next process finds is whole, all that was told is in it, and nothing is in its way. */
async function judge(dir: string): Promise<{ readonly wasSaving: boolean; readonly next: number }> {
  const left = strays(dir)
  age(dir, left)
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

test('B1: whenever a process that saves is killed, each file is whole, what was acknowledged is there, and the next process goes on within ten seconds', async () => {
  let [kills, saving, last] = [0, 0, 0]
  const inFolder = async (): Promise<void> => {
    const texts = PATHS.map((path) => [`menus/${path}`, numberedText(codeOf(path), 0)])
    const { dir, close } = createLargeFolder({ ...Object.fromEntries(texts), told: ''.padStart(18, '0') })
    let [number, next] = [0, prepare()]
    while (kills < KILLS || (saving === 0 && kills < MOST_KILLS)) {
      kills++
      const child = next
      next = prepare()
      await runAndKill(child, dir, number)
      const judged = await judge(dir)
      if (judged.wasSaving) saving++
      number = judged.next
    }
    last = Math.max(last, number)
    close()
  }
  try {
    await Promise.all(Array.from({ length: FOLDERS }, inFolder))
  } finally {
    for (const child of children) child.kill('SIGKILL')
  }
  figure(`${kills} kill -9 of a process that saves, in the middle of a save`, `${saving}`, 'many')
  assert.ok(saving > 0)
  assert.ok(last > KILLS / FOLDERS)
})

test.run()
