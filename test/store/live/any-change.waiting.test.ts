import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { SILENT_LOG } from '../../../src/service/log.js'
import { openStore, type Store } from '../../../src/store/live/open-store.js'
import { eventually } from '../../support/eventually.js'
import { SEED, sized } from '../../support/figures.js'
import { createLoneFolder } from '../../support/menus-folder.js'
import { errorsOf, followedOn, menuText, readerOf } from '../opening.js'

const folders = fc.constantFrom('a', 'a/b', 'c', '.hidden')
const files = fc
  .tuple(fc.oneof(folders, fc.constant('')), fc.constantFrom('m.yaml', 'M.yaml', 'n.yaml', 'o.txt'))
  .map(([folder, name]) => join(folder, name))
const contexts = fc.constantFrom(null, { id: 1 }, { id: '1' }, { a: 1, b: 2 }, { b: 2, a: 1 })
const menus = fc
  .tuple(fc.constantFrom('x', 'y', 'z'), fc.nat(99), contexts)
  .map(([code, name, context]) => menuText(code, `v${name}`, context))

/** Each way to change a folder; it throws where an earlier change is in the way. */
const WAYS = {
  write: (file: string, _other: string, text: string): void => {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  },
  replace: (file: string, _other: string, text: string): void => {
    writeFileSync(`${file}.new`, text)
    renameSync(`${file}.new`, file)
  },
  renew: (folder: string, _other: string, text: string): void => {
    rmSync(folder, { recursive: true })
    mkdirSync(folder)
    writeFileSync(join(folder, 'm.yaml'), text)
  },
  remove: (path: string): void => rmSync(path, { recursive: true }),
  move: (path: string, other: string): void => renameSync(path, other),
  link: (path: string, other: string): void => symlinkSync(relative(dirname(path), other), path),
}

const changes = fc.record({
  way: fc.constantFrom<keyof typeof WAYS>(
    'write',
    'write',
    'write',
    'replace',
    'renew',
    'remove',
    'move',
    'link',
  ),
  path: fc.oneof(files, folders),
  other: fc.oneof(files, folders, fc.constant('')),
  text: fc.oneof({ weight: 6, arbitrary: menus }, fc.constantFrom('code: [', '')),
})

/** All that a store says of its menus. */
function stateOf({ current }: Store): string {
  const { revision, files, served, index, problems } = current
  const variants = [...index].flatMap(([code, each]) =>
    [...each].map(([key, menu]) => [`${code} ${key}`, menu]),
  )
  return toText({ revision, files, served: [...served], problems, index: variants.sort() })
}

function versionsOf({ current }: Store): string {
  return toText(current.files.map(({ path, version }) => [path, version]))
}

function toText(value: unknown): string {
  return JSON.stringify(value, null, 1)
}

async function fresh<T>(dir: string, toSeen: (store: Store) => T): Promise<T> {
  const options = { watch: false, filePrefix: '', rescanSeconds: 5, log: SILENT_LOG }
  const store = await openStore(dir, readerOf(), options)
  const seen = toSeen(store)
  await store.close()
  return seen
}

// In the second one, folders go while their watch begins.
for (const seed of [SEED, 519_276_393])
  test(`After any changes, a store that follows them serves what a fresh one does (seed ${seed})`, async () => {
    const rounds = fc.sample(fc.array(changes, { minLength: 1, maxLength: 6 }), {
      seed,
      numRuns: sized(40, 500),
    })
    const { dir, close } = createLoneFolder({ 'm.yaml': menuText('x') })
    await followedOn(dir, async (store) => {
      for (const [round, steps] of rounds.entries()) {
        for (const { way, path, other, text } of steps) {
          try {
            WAYS[way](join(dir, path), join(dir, other), text)
          } catch {
            // The way is blocked.
          }
        }
        const about = `round ${round}: ${JSON.stringify(steps)}`
        const isSame = (toSeen: (store: Store) => string) =>
          eventually(async () => assert.is(toSeen(store), await fresh(dir, toSeen), about))
        await isSame(versionsOf)
        // Menus that broke while they were served still are; a fresh store has not seen them whole. Links to them break in turn.
        for (let lines = await fresh(dir, errorsOf); lines.length > 0; lines = await fresh(dir, errorsOf))
          for (const line of lines)
            rmSync(join(dir, line.split(':')[0] ?? ''), { recursive: true, force: true })
        await isSame(stateOf)
      }
    })
    close()
  })

test.run()
