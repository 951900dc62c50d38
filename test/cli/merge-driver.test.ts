import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { fileOf } from '../support/snapshot-of.js'
import { yaml } from '../support/yaml.js'
import { CONFLICT, FILE, HEAD, item, merging, resolved } from './merging.js'

test('Two branches that reorder the same menu merge without a person', async () => {
  const [a, b, c, d, e] = ['A', 'B', 'C', 'D', 'E'].map((label) => `  # about ${label}\n${item(label)}`)
  const sides = {
    base: [HEAD, a, b, c, d, e].join(''),
    ours: [HEAD, e, a, b, c, d].join(''),
    theirs: [HEAD, b, c, d, a, e].join(''),
  }
  await merging(sides, ({ code, text, said }, repository) => {
    assert.is(code, 0, said)
    assert.is(text, [HEAD, e, b, c, d, a].join(''))
    assert.is(repository.git('status', '--porcelain'), '')
    assert.is(repository.git('log', '-1', '--format=%P').split(' ').length, 2)
  })
})

test('Where lines alone give the right menu they are taken, with the comments and the style of both sides', async () => {
  const base = HEAD + item('A') + item('B') + item('C')
  const ours = `# Ours\n${base.replace('label: A', "label:   'A1'  # one")}`
  const theirs = base.replace('label: C', 'label: "C1" # three')
  await merging({ base, ours, theirs }, ({ code, text }) => {
    assert.is(code, 0)
    assert.is(text, ours.replace('label: C', 'label: "C1" # three'))
  })
})

test('Where the merge of lines is clean and wrong, the result is the menu that both sides meant', async () => {
  // Lines would move B out of the list that theirs wrapped, and leave it there, too.
  const base = HEAD + item('A') + item('B') + item('C') + item('D') + item('E') + item('F')
  const ours = HEAD + item('C') + item('D') + item('E') + item('F') + item('A') + item('B')
  const theirs = base.replace('label: B', 'label: { en: B, es: Be }')
  await merging({ base, ours, theirs }, ({ code, text }) => {
    assert.is(code, 0)
    assert.is(text, ours.replace('label: B', 'label: { en: B, es: Be }'))
  })
})

test('A label in one line is merged by locale', async () => {
  const of = (label: string): string => `${HEAD}  - label: ${label}\n    url: /\n`
  const sides = { base: of('{ en: A }'), ours: of('{ en: A1 } # ours'), theirs: of('{ en: A, es: Aa }') }
  await merging(sides, ({ code, text }) => {
    assert.is(code, 0)
    assert.is(text, of('{ en: A1, es: Aa } # ours'))
  })
})

test('An item that more viewers would see than on either side is marked', async () => {
  const of = (section: string, more: string): string => `${HEAD}  - type: section
    label: Staff
    permissions: [staff]
    children:
${section}${item('B')}${more}`
  const pay = (permissions: string): string =>
    `      - label: Pay\n        url: /pay\n${permissions}      - label: Rota\n        url: /rota\n`
  const rota = '      - label: Rota\n        url: /rota\n'
  const sides = {
    base: of(pay('        permissions: [pay]\n'), ''),
    // The section is for few as it is.
    ours: of(pay(''), ''),
    theirs: of(rota, '  - label: Pay\n    url: /pay\n    permissions: [pay]\n'),
  }
  await merging(sides, ({ code, text, said }) => {
    assert.is(code, 1)
    assert.is(resolved(text, 'ours'), sides.ours)
    assert.is(resolved(text, 'theirs'), sides.theirs)
    assert.match(
      said,
      'menuscript: menus/main.yaml: together, both changes show "Pay" to viewers who see it on neither side',
    )
  })
})

test('A file that both sides made is merged as if it had been empty before', async () => {
  const sides = { base: null, ours: HEAD + item('A') + item('B'), theirs: HEAD + item('A') + item('C') }
  await merging(sides, ({ code, text, said }) => {
    assert.is(code, 0, said)
    assert.is(text, HEAD + item('A') + item('C') + item('B'))
  })
})

test('Line breaks and a byte order mark of ours stay', async () => {
  const windows = (text: string): string => `\ufeff${text.replaceAll('\n', '\r\n')}`
  const sides = {
    base: windows(CONFLICT.base),
    ours: windows(CONFLICT.ours),
    theirs: windows(CONFLICT.theirs),
  }
  await merging(sides, ({ code, text }) => {
    assert.is(code, 1)
    assert.ok(text.startsWith('\ufeffversion: 1\r\n'))
    assert.not.match(text, /[^\r]\n/)
    assert.equal(fileOf('main.yaml', resolved(text, 'theirs')).problems, [])
  })
})

test('A menu in brackets is merged, too', async () => {
  const base = yaml`
    version: 1
    code: main
    name: Main
    items: [{ label: A, url: /a }, { label: B, url: /b }]
  `
  const ours = base.replace('Main', 'Ours').replace('{ label: A,', '{ label: Aa,')
  const theirs = base.replace('{ label: B, url: /b }', '{ label: B, url: /b }, { label: C, url: /c }')
  await merging({ base, ours, theirs }, ({ code, text }) => {
    assert.is(code, 0)
    assert.is(text, theirs.replace('Main', 'Ours').replace('{ label: A,', '{ label: Aa,'))
  })
})

test('Branches that merged each other before, in conflict, merge item by item', async () => {
  const of = (...labels: readonly string[]): string => HEAD + labels.map((label) => item(label)).join('')
  const base = of('A', 'B', 'C')
  const sides = { base, ours: base.replace(': A', ': One'), theirs: base.replace(': A', ': Two') }
  await merging(sides, ({ code }, { dir, git, commit }) => {
    const merge = (branch: string) =>
      spawnSync('git', ['merge', '-m', 'Merged', branch], { cwd: dir, encoding: 'utf8' })
    assert.is(code, 1)
    commit('Agreed', { [FILE]: of('A', 'B', 'C') })
    git('checkout', '--quiet', 'theirs')
    assert.is(merge('ours~1').status, 1)
    commit('Agreed, too', { [FILE]: of('A', 'B', 'C') })
    commit('Theirs again', { [FILE]: of('A', 'B', 'C').replace('url: /b', 'url: /bb') })
    git('checkout', '--quiet', 'ours')
    commit('Ours again', { [FILE]: of('B', 'A', 'C') })
    // Git has two versions to begin from, and what it makes of them has a conflict.
    const { status, stdout, stderr } = merge('theirs')
    assert.equal([status, (stdout + stderr).includes('menuscript:')], [0, false])
    assert.is(readFileSync(join(dir, FILE), 'utf8'), of('B', 'A', 'C').replace('url: /b', 'url: /bb'))
  })
})

test.run()
