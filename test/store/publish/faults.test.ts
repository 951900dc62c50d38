import { existsSync, readdirSync, readFileSync, renameSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { applyOperations } from '../../../src/change/operations/apply.js'
import type { Operation } from '../../../src/change/operations/operation.js'
import { readDocument } from '../../../src/document/menu-document.js'
import { contentHash } from '../../../src/store/hash.js'
import type { Edit } from '../../../src/store/publish/plan.js'
import { type FileFault, type Injector, importFaulty } from '../../support/faulty-files.js'
import { sized } from '../../support/figures.js'
import { DEFAULT_LIMITS } from '../../support/limits.js'
import { createMenusFolder } from '../../support/menus-folder.js'
import { yaml } from '../../support/yaml.js'

const { openParts } = await importFaulty<typeof import('./try-publish.js')>(
  new URL('try-publish.ts', import.meta.url).href,
)

const MENU = yaml`
  version: 1
  code: main
  name: Main   # for editors
  items:
    - label: Home
      url: /
`
const EDITED = MENU.replace('name: Main ', 'name: Front ')
const OPERATIONS: readonly Operation[] = [{ op: 'replace', path: '/name', value: 'Front' }]

const ALL_FAULTS: readonly FileFault[] = [
  { code: 'ENOSPC', isShort: true },
  ...['EIO', 'EACCES', 'ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE'].map((code) => ({ code })),
]
const FAULTS = ALL_FAULTS.slice(0, sized(3, ALL_FAULTS.length))

function edit(kind: 'replace' | 'create' | 'delete') {
  if (kind === 'create') return { kind: 'text', path: 'new/other.yaml', version: null, text: OTHER } as const
  const version = contentHash(MENU)
  if (kind === 'delete') return { kind: 'text', path: 'main.yaml', version, text: null } as const
  const base = readDocument('main.yaml', Buffer.from(MENU), DEFAULT_LIMITS)
  const { value: change, fault } = applyOperations(base.value ?? {}, OPERATIONS)
  if (fault !== null) throw new Error(fault.reason)
  return { kind: 'change', path: 'main.yaml', base, change } as const
}
const OTHER = MENU.replace('code: main', 'code: other')

/** The text of each menu, by its path. */
function textsOf(dir: string): Readonly<Record<string, string | null>> {
  const read = (path: string) => {
    const file = join(dir, 'menus', path)
    return existsSync(file) ? readFileSync(file, 'utf8') : null
  }
  return { main: read('main.yaml'), other: read('new/other.yaml') }
}

const BEFORE = { main: MENU, other: null }
const AFTER = {
  replace: { main: EDITED, other: null },
  create: { main: MENU, other: OTHER },
  delete: { main: null, other: null },
}

/** Fails calls from the n-th on, once or for good, while something runs; answers how many calls there were. */
async function failing<T>(fault: FileFault, from: number, isOnce: boolean, run: () => T | Promise<T>) {
  let calls = 0
  globalThis.injectFileFault = () => {
    calls++
    return calls === from || (calls > from && !isOnce) ? fault : null
  }
  try {
    return { result: await run(), calls, thrown: null }
  } catch (thrown) {
    return { result: null, calls, thrown: thrown as NodeJS.ErrnoException }
  } finally {
    globalThis.injectFileFault = null
  }
}

for (const kind of ['replace', 'create', 'delete'] as const) {
  test(`B3, B4 and B5: whichever call of a publish fails, once or for good, no text is torn and none is lost (${kind})`, async () => {
    let tried = 0
    for (const fault of FAULTS) {
      for (const isOnce of [true, false]) {
        for (let from = 1; ; from++) {
          const folder = createMenusFolder({ 'menus/main.yaml': MENU })
          const { publisher } = openParts(folder.dir)
          const run = () => publisher.publish([edit(kind)], { author: 'ana' })
          const { result, calls, thrown } = await failing(fault, from, isOnce, run)
          const where = `${kind}: ${fault.code}${fault.isShort ? ' short' : ''} at call ${from}, ${isOnce ? 'once' : 'for good'}`
          assert.is(thrown, null, where)
          const texts = textsOf(folder.dir)
          // Acknowledged: there. Refused: as before, or, where only the sync of the folder failed, whole as it was meant.
          if (result?.fault === null) assert.equal(texts, AFTER[kind], where)
          else
            assert.ok(
              [BEFORE, AFTER[kind]].some((each) => JSON.stringify(each) === JSON.stringify(texts)),
              where,
            )
          // Ten seconds later the disk does as it should: the same is published by the next process, and nothing is left over.
          age(folder.dir)
          const again = await openParts(folder.dir).publisher.publish([edit(kind)], { author: 'ana' })
          if (again.fault !== null) assert.equal([again.fault.reason, texts], ['changed', AFTER[kind]], where)
          assert.equal(textsOf(folder.dir), AFTER[kind], where)
          assert.equal(strays(join(folder.dir, 'menus')), [], where)
          folder.close()
          if (calls < from) break
          tried++
        }
      }
    }
    console.log(`    ${tried} points`)
  })
}

/** The calls of a publish, of which some fail, and what came of it. */
async function publishedWith(inject: Injector) {
  const folder = createMenusFolder({ 'menus/main.yaml': MENU })
  const { publisher } = openParts(folder.dir)
  const calls: string[] = []
  globalThis.injectFileFault = (call) => {
    calls.push(call)
    return inject(call)
  }
  const { fault } = await publisher.publish([edit('replace')], { author: 'ana' })
  globalThis.injectFileFault = null
  const outcome = { calls, fault, texts: textsOf(folder.dir), left: strays(folder.dir) }
  folder.close()
  return outcome
}

test('B2: a text is on the disk before it gets its name, and the name is before the answer', async () => {
  const { calls, fault } = await publishedWith(() => null)
  assert.is(fault, null)
  // The version that is replaced, under a name of its own; then the text in its place.
  const kept = ['writeFileSync', 'fsyncSync', 'linkSync', 'fsyncSync']
  assert.equal(
    calls.filter((call) => /^(?:writeFile|fsync|rename|link)Sync$/.test(call)),
    [...kept, 'writeFileSync', 'fsyncSync', 'renameSync', 'fsyncSync'],
  )
})

test('B5: a sync that failed is not tried again, and the text that it was for is not used', async () => {
  const { calls, fault, texts, left } = await publishedWith((call) =>
    call === 'fsyncSync' ? { code: 'EIO' } : null,
  )
  assert.is(fault?.reason, 'failed')
  assert.is(calls.filter((call) => call === 'fsyncSync').length, 1)
  assert.equal([texts, left], [BEFORE, []])
})

test('B6: a folder that is swapped in the middle of a save gets the edit, too, or the answer says that it was swapped', async () => {
  for (const isStrict of [false, true]) {
    const folder = createMenusFolder({
      'menus/main.yaml': MENU,
      'other/main.yaml': `${MENU}  - label: New\n    url: /new\n`,
    })
    const { publisher } = openParts(folder.dir)
    const at = (name: string) => join(folder.dir, name)
    globalThis.injectFileFault = (call) => {
      if (call === 'renameSync' && existsSync(at('other'))) {
        renameSync(at('menus'), at('old'))
        renameSync(at('other'), at('menus'))
      }
      return null
    }
    const { fault } = await publisher.publish([{ ...edit('replace'), isStrict } as Edit], { author: 'ana' })
    globalThis.injectFileFault = null
    assert.is(fault?.reason ?? null, isStrict ? 'swapped' : null)
    const texts = textsOf(folder.dir)
    assert.match(texts['main'] ?? '', isStrict ? 'name: Main ' : 'name: Front ')
    assert.match(texts['main'] ?? '', 'label: New')
    assert.equal(strays(join(folder.dir, 'menus')), [])
    folder.close()
  }
})

test('Whichever call of a step in a draft fails, the steps before it are there, and the next one works', async () => {
  for (const fault of FAULTS) {
    for (const isOnce of [true, false]) {
      for (let from = 1; ; from++) {
        const folder = createMenusFolder({ 'menus/main.yaml': MENU })
        const { drafts } = openParts(folder.dir)
        const draft = drafts.open('ana', 'main.yaml', Buffer.from(MENU)).value
        const ref = { id: draft?.id ?? '', user: 'ana', revision: null }
        drafts.edit(ref, OPERATIONS)
        const more: readonly Operation[] = [{ op: 'replace', path: '/items/0/label', value: 'Start' }]
        const { result, calls } = await failing(fault, from, isOnce, () => drafts.edit(ref, more))
        const where = `${fault.code} at call ${from}`
        const found = openParts(folder.dir).drafts.read(ref.id, 'ana')
        assert.ok(found !== null, where)
        if (result?.fault === null) assert.is(found.revision, 2, where)
        assert.match(JSON.stringify(found.change.value), 'Front', where)
        age(folder.dir)
        assert.is(drafts.edit(ref, more).fault, null, where)
        folder.close()
        if (calls < from) break
      }
    }
  }
})

/** What was left beside the files that should be written. */
function strays(dir: string): readonly string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.tmp'))
}

/** Makes what was left beside files as old as if ten seconds had passed. */
function age(dir: string): void {
  const then = new Date(Date.now() - 11_000)
  for (const name of strays(dir)) utimesSync(join(dir, name), then, then)
}

test.run()
