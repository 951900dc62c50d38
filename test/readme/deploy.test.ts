import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { COMMANDS } from '../deploy/commands.js'
import { kitPaths, kitText } from '../deploy/kit.js'
import { pageAt, rowsUnder, takeBlocks, testCoverage } from './readme.js'
import { matches, textsOf } from './sources.js'

/** The languages of the blocks of each section: those of `sh` are commands, and all others are files. */
const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  'Project folder': ['sh', 'sh'],
  'A process': ['sh'],
  systemd: ['sh', 'ini', 'sh'],
  Docker: ['sh', 'dockerfile', 'text'],
  'Docker Compose': ['sh', 'sh', 'sh', 'yaml', 'nginx', 'text'],
  Kubernetes: ['sh', 'yaml', 'yaml', 'yaml', 'yaml', 'yaml'],
  'Menus in a ConfigMap': ['sh', 'yaml', 'yaml', 'yaml', 'yaml'],
  'Menus from a git host': ['sh', 'yaml', 'yaml', 'yaml'],
  'The dashboard in a cluster': ['sh', 'yaml', 'yaml', 'yaml'],
  'Several replicas with the dashboard': ['sh', 'sh', 'yaml', 'yaml', 'yaml', 'yaml'],
  'Backup and restore': ['sh', 'sh', 'sh', 'sh'],
  Upgrades: ['sh'],
}

const blocks = Object.entries(SECTIONS).flatMap(([section, languages]) =>
  takeBlocks(section, languages).map((text, at) => ({ isFile: languages[at] !== 'sh', text })),
)

test('The page shows each file of docs/deploy under its path, but for those of monitoring', () => {
  const monitoring = pageAt('docs/monitoring.md').text
  const own = kitPaths().filter((path) => !monitoring.includes(`deploy/${path}`))
  const shown = matches(pageAt('docs/deploy.md').text, /^`docs\/deploy\/(\S+)`[^`]*:\n\n```/gm)
  const texts = blocks.filter(({ isFile }) => isFile).map(({ text }) => text)
  assert.equal([...shown].sort(), own)
  assert.equal(texts, shown.map(kitText))
})

test('Its commands name files and folders that are there', () => {
  const commands = blocks.filter(({ isFile }) => !isFile).map(({ text }) => text)
  const named = matches(commands.join('\n'), /node_modules\/menuscript\/docs\/deploy\/(\S+)/g).flatMap(
    (path) => (path.startsWith('{') ? path.slice(1, -1).split(',') : [path]),
  )
  const overlays = matches(commands.join('\n'), /apply -k (\S+)/g).map(
    (folder) => `${folder}/kustomization.yaml`,
  )
  assert.ok(named.length > 5 && overlays.length === 4)
  for (const path of [...named, ...overlays])
    assert.ok(
      kitPaths().some((each) => `${each}/`.startsWith(`${path}/`)),
      path,
    )
})

test('The tests of the folder execute the commands of the page', () => {
  const commands = blocks.filter(({ isFile }) => !isFile).map(({ text }) => text)
  for (const command of Object.values(COMMANDS))
    assert.ok(
      commands.some((text) => text.includes(command)),
      command,
    )
})

test('Each kind has its section, and each change its restart', () => {
  const kinds = rowsUnder('kind', 'choose it for').map(([cell = '']) => /^\[(.+)\]/.exec(cell)?.[1] ?? '')
  for (const kind of kinds) assert.ok(SECTIONS[kind], kind)
  const effects = rowsUnder('change', 'takes effect').map(([, effect = '']) => effect)
  for (const effect of effects)
    assert.match(
      effect,
      /^(?:after \[100 milliseconds\]|at once|within `storage\.git\.interval` seconds|after a restart)/,
    )
})

test('The page lists the signals of the server', () => {
  const signals = matches(textsOf('src/cli').join('\n'), /\bon\('(SIG[A-Z]+)'/g)
  const rows = rowsUnder('signal', 'effect').flatMap(([cell = '']) => matches(cell, /`(SIG[A-Z]+)`/g))
  assert.equal(rows.sort(), [...new Set(signals)].sort())
})

test('The sizes are those that were measured', () => {
  const head = ['row', 'what', 'ratio', 'quartiles', 'goal', 'time', 'baseline', 'load', 'commit']
  const times = new Map(
    rowsUnder(...head).map(([name = '', , , , , time = '']) => [name, Number.parseFloat(time)]),
  )
  const numberOf = (cell = ''): number => Number.parseFloat(cell.replaceAll(',', ''))
  for (const [menus, memory, startup, requests] of rowsUnder(
    'menus',
    'memory',
    'startup',
    'requests per second',
  )) {
    const count = numberOf(menus)
    const measured = (row: string): number => times.get(`\`${row} ${count}\``) ?? Number.NaN
    for (const [stated, real] of [
      [numberOf(memory), measured('memory')],
      [numberOf(startup), measured('start') / 1_000],
      [numberOf(requests), 1_000_000 / measured('menus')],
    ] as const) {
      assert.ok(Math.abs(stated / real - 1) < 0.05, `${menus} menus: ${stated} is stated, ${real} measured`)
    }
  }
})

testCoverage(test, 'docs/deploy.md')

test.run()
