import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { MenuFile } from '../../src/model/menu-file.js'
import { selectMenu } from '../../src/model/select.js'
import { buildSnapshot, type Snapshot, snapshotInSteps } from '../../src/model/snapshot.js'
import { fileOf, snapshotOf, toHash } from '../support/snapshot-of.js'
import { yaml } from '../support/yaml.js'
import { RUNS } from './arbitraries.js'

const BROKEN = 'version: 1\ncode: [\n'

function menu(code: string, name = code, context: string | null = null): string {
  return yaml`
    version: 1
    code: ${code}
    name: ${name}
    ${context === null ? '# for everybody' : `context: ${context}`}
    items: []
  `
}

/** Who serves the menu without a context: path, name, and whether it is a last good version. */
function served(snapshot: Snapshot, code: string): string | null {
  const found = selectMenu(snapshot.index, code, [], 0).served
  return found === null ? null : `${found.path}: ${found.menu.name}${found.stale ? ' (stale)' : ''}`
}

function codesOf({ problems }: Snapshot): string[] {
  return problems.map(({ path, code }) => `${path} ${code}`)
}

test('Among files with one code and equal contexts the smallest path is served, and the other names it', () => {
  const text = (name: string, context: string) => menu('main', name, context)
  const snapshot = snapshotOf({
    'b.yaml': text('second', '{ partnerId: 3, plan: pro }'),
    'a.yaml': text('first', '{ plan: pro, partnerId: 3.0 }'),
  })
  assert.equal([...snapshot.served.keys()], ['a.yaml'])
  assert.equal(codesOf(snapshot), ['b.yaml duplicate-menu'])
  assert.match(snapshot.problems[0]?.what ?? '', 'a.yaml')
  assert.is(snapshot.problems[0]?.severity, 'error')
})

test('Paths compare by their bytes: capitals first, and letters beyond 16 bits last', () => {
  assert.is(served(snapshotOf({ 'a.yaml': menu('x'), 'B.yaml': menu('x') }), 'x'), 'B.yaml: x')
  assert.is(served(snapshotOf({ 'a/z.yaml': menu('x'), 'a.yaml': menu('x') }), 'x'), 'a.yaml: x')
  assert.is(
    served(snapshotOf({ '\u{1f600}.yaml': menu('x'), '\ufb01.yaml': menu('x') }), 'x'),
    '\ufb01.yaml: x',
  )
})

test('With three duplicates, both files that are not served carry the error', () => {
  const snapshot = snapshotOf({ 'c.yaml': menu('x'), 'b.yaml': menu('x'), 'a.yaml': menu('x') })
  assert.equal(codesOf(snapshot), ['b.yaml duplicate-menu', 'c.yaml duplicate-menu'])
  assert.equal(
    snapshot.files.map(({ path, problems }) => `${path} ${problems.length}`),
    ['a.yaml 0', 'b.yaml 1', 'c.yaml 1'],
  )
})

test('The same code with another context, or the same context with another code, is not a duplicate', () => {
  const files = { 'a.yaml': menu('x'), 'b.yaml': menu('x', 'x', '{ a: null }'), 'c.yaml': menu('X') }
  assert.equal(codesOf(snapshotOf(files)), [])
})

test('A duplicate serves as soon as the file before it is gone', () => {
  const previous = snapshotOf({ 'a.yaml': menu('x'), 'b.yaml': menu('x') })
  assert.is(served(snapshotOf({ 'b.yaml': menu('x') }, { previous }), 'x'), 'b.yaml: x')
})

test('A file that breaks goes on serving its last good version, and its problem is reported', () => {
  const previous = snapshotOf({ 'a.yaml': menu('x', 'good') })
  const broken = snapshotOf({ 'a.yaml': BROKEN }, { previous })
  assert.is(served(broken, 'x'), 'a.yaml: good (stale)')
  assert.is(selectMenu(broken.index, 'x', [], 0).served?.version, previous.files[0]?.version)
  assert.equal(codesOf(broken), ['a.yaml yaml-syntax'])
})

test('The last good version stays however often the file breaks again, until it is fixed', () => {
  let snapshot = snapshotOf({ 'a.yaml': menu('x', 'good') })
  for (const text of [BROKEN, '', 'code: 1\n'])
    snapshot = snapshotOf({ 'a.yaml': text }, { previous: snapshot })
  assert.is(served(snapshot, 'x'), 'a.yaml: good (stale)')
  assert.is(
    served(snapshotOf({ 'a.yaml': menu('x', 'fixed') }, { previous: snapshot }), 'x'),
    'a.yaml: fixed',
  )
})

test('The last good version keeps its claim: a later file with the same menu is its duplicate', () => {
  const previous = snapshotOf({ 'a.yaml': menu('x', 'good') })
  const snapshot = snapshotOf({ 'a.yaml': BROKEN, 'b.yaml': menu('x', 'rival') }, { previous })
  assert.is(served(snapshot, 'x'), 'a.yaml: good (stale)')
  assert.equal(codesOf(snapshot), ['a.yaml yaml-syntax', 'b.yaml duplicate-menu'])
})

test('The last good version goes when the file is removed', () => {
  const previous = snapshotOf({ 'a.yaml': menu('x') })
  const broken = snapshotOf({ 'a.yaml': BROKEN }, { previous })
  assert.is(served(snapshotOf({}, { previous: broken }), 'x'), null)
})

test('A file that comes to claim the menu of another is withheld, and its own last good version stays', () => {
  const previous = snapshotOf({ 'a.yaml': menu('x'), 'b.yaml': menu('y', 'good') })
  const snapshot = snapshotOf({ 'a.yaml': menu('x'), 'b.yaml': menu('x', 'taken') }, { previous })
  assert.equal(codesOf(snapshot), ['b.yaml duplicate-menu'])
  assert.is(served(snapshot, 'x'), 'a.yaml: x')
  assert.is(served(snapshot, 'y'), 'b.yaml: good (stale)')
})

test('A cold start leaves a broken file out, and reports its problem', () => {
  const snapshot = snapshotOf({ 'a.yaml': BROKEN, 'b.yaml': menu('y') })
  assert.equal([...snapshot.served.keys()], ['b.yaml'])
  assert.equal(codesOf(snapshot), ['a.yaml yaml-syntax'])
})

test('A warning does not withhold a file', () => {
  const text = menu('x').replace('items: []', 'items: [{ label: { en: Home }, url: / }]')
  const snapshot = snapshotOf({ 'a.yaml': text })
  assert.equal(codesOf(snapshot), ['a.yaml missing-translation'])
  assert.is(served(snapshot, 'x'), 'a.yaml: x')
})

test('Paths that differ only in how letters are composed are warned of: macOS takes them for one', () => {
  const paths = ['menus/caf\u00e9.yaml', 'menus/cafe\u0301.yaml', 'menus/Cafe\u0301.yaml']
  const snapshot = snapshotOf(Object.fromEntries(paths.map((path, place) => [path, menu(`m${place}`)])))
  const clashes = snapshot.problems.map(({ code, path, what }) => [code, path, /how letters/.test(what)])
  assert.equal(clashes, [
    ['path-clash', 'menus/cafe\u0301.yaml', false],
    ['path-clash', 'menus/caf\u00e9.yaml', true],
  ])
  assert.is(snapshot.served.size, 3)
})

test('Paths that differ only in case are warned of, and both are served', () => {
  const snapshot = snapshotOf({ 'menus/Main.yaml': menu('x'), 'menus/main.yaml': menu('y') })
  assert.equal(codesOf(snapshot), ['menus/main.yaml path-clash'])
  assert.is(snapshot.problems[0]?.severity, 'warning')
  assert.match(snapshot.problems[0]?.what ?? '', 'menus/Main.yaml')
  assert.is(snapshot.served.size, 2)
})

test('The revision changes with any byte of any file, and with nothing else', () => {
  const files = { 'a.yaml': menu('x'), 'b.yaml': BROKEN }
  const { revision } = snapshotOf(files)
  assert.is(snapshotOf(files).revision, revision)
  for (const text of [`${menu('x')}# a comment\n`, menu('x2'), BROKEN]) {
    assert.is.not(snapshotOf({ ...files, 'a.yaml': text }).revision, revision)
  }
  assert.is.not(snapshotOf({ ...files, 'c.yaml': menu('z') }).revision, revision)
  assert.is.not(snapshotOf({ 'c.yaml': menu('x'), 'b.yaml': BROKEN }).revision, revision)
})

test('A broken file that still serves its last good version is another revision than after a cold start', () => {
  const previous = snapshotOf({ 'a.yaml': menu('x') })
  const running = snapshotOf({ 'a.yaml': BROKEN }, { previous })
  assert.is.not(running.revision, snapshotOf({ 'a.yaml': BROKEN }).revision)
  assert.is.not(running.revision, previous.revision)
})

test('A snapshot does not touch the one before it, and cannot be changed', () => {
  const previous = snapshotOf({ 'a.yaml': menu('x', 'good') })
  snapshotOf({ 'a.yaml': BROKEN }, { previous })
  assert.is(served(previous, 'x'), 'a.yaml: good')
  for (const value of [previous, previous.files, previous.problems]) assert.ok(Object.isFrozen(value))
})

const paths = fc.constantFrom('a.yaml', 'A.yaml', 'b.yaml', 'deep/c.yaml', '\ufb01.yaml', '\u{1f600}.yaml')
const texts = fc.constantFrom(menu('x'), menu('x', 'other'), menu('y'), menu('x', 'x', '{ a: 1 }'), BROKEN)
const folders = fc.uniqueArray(fc.tuple(paths, texts), { selector: ([path]) => path })

/** All of a snapshot that anybody can see. */
function seen({ revision, files, served: byPath, problems }: Snapshot) {
  const claims = [...byPath].map(
    ([
      path,
      {
        menu: { name },
        version,
        stale,
      },
    ]) => [path, name, version, stale],
  )
  return { revision, files: files.map(({ path }) => path), claims, problems }
}

test('For any folder, at a cold start as while running, the order in which files are read changes nothing', () => {
  const shuffled = folders.chain((folder) =>
    fc.tuple(fc.constant(folder), fc.shuffledSubarray(folder, { minLength: folder.length }), folders),
  )
  const law = fc.property(shuffled, ([folder, other, before]) => {
    for (const previous of [null, snapshotOf(Object.fromEntries(before))]) {
      const build = (entries: readonly (readonly [string, string])[]) => {
        const files = entries.map(([path, text]) => fileOf(path, text))
        return buildSnapshot({ files, previous, folderProblems: [], hash: toHash })
      }
      assert.equal(seen(build(other)), seen(build(folder)))
    }
  })
  fc.assert(law, RUNS)
})

test('For any folder at a cold start, exactly the files without an error are served', () => {
  const law = fc.property(folders, (folder) => {
    const snapshot = snapshotOf(Object.fromEntries(folder))
    const faultless = snapshot.files.filter(({ problems }) =>
      problems.every(({ severity }) => severity !== 'error'),
    )
    assert.equal(
      [...snapshot.served.keys()],
      faultless.map(({ path }) => path),
    )
  })
  fc.assert(law, RUNS)
})

test('A snapshot of thousands of files is made in steps of hundreds, at a cold start as after a change', () => {
  const [one, other] = ['one', 'other'].map((name) =>
    Array.from({ length: 3_000 }, (_, at) => fileOf(`${at}.yaml`, menu(`m-${at}`, name))),
  ) as [MenuFile[], MenuFile[]]
  const inputs = { folderProblems: [], hash: toHash }
  const previous = buildSnapshot({ ...inputs, files: one, previous: null })
  for (const before of [null, previous]) {
    const steps = snapshotInSteps({ ...inputs, files: other, previous: before })
    let count = 1
    while (steps.next().done !== true) count++
    assert.ok(count > 30, `${count} steps`)
  }
})

test('Rebuilding on the snapshot of the same files changes nothing', () => {
  const law = fc.property(folders, folders, (before, folder) => {
    const files = Object.fromEntries(folder)
    const once = snapshotOf(files, { previous: snapshotOf(Object.fromEntries(before)) })
    assert.equal(seen(snapshotOf(files, { previous: once })), seen(once))
  })
  fc.assert(law, RUNS)
})

test.run()
