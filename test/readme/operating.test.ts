import { spawnSync } from 'node:child_process'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { PROBLEM_KINDS } from '../../src/model/problem-codes.js'
import { AUDIT_ACTIONS } from '../../src/store/audit.js'
import { prepareProgram } from '../support/apt.js'
import { eventually } from '../support/eventually.js'
import { get } from '../support/http.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { runProcess } from '../support/process.js'
import { plain } from './markdown.js'
import { CLI, PAGES, rowsUnder, takeBlocks, testCoverage } from './readme.js'
import { compact, runShell, withServer } from './shell.js'
import { matches, textsOf } from './sources.js'
import { misspell, takeWalk } from './walk.js'

const MENU = 'version: 1\ncode: main\nname: Main\nitems:\n  - label: Home\n    url: /\n'

/** A network, a file system and a root of one's own: the ports and the folders of the page are free there. */
const WORLD = ['--user', '--map-root-user', '--mount', '--net']
/** What a machine has on which nginx is installed. */
const PREPARE = `
  { ip link set lo up || ifconfig lo up; } 2>/dev/null
  for folder in /var/cache /var/log /var/lib /run; do mount -t tmpfs none $folder; done
  mkdir -p /var/log/nginx /var/lib/nginx`

/** Asks through nginx, once both are up, and once more. */
const ASK = `
  const ask = async () => {
    const answer = await fetch('http://127.0.0.1/api/menu/main')
    return [answer.status, answer.headers.get('x-cache'), (await answer.text()).slice(0, 16)].join(' ')
  }
  let said = ''
  for (let tries = 0; tries < 300 && !said.startsWith('200'); tries++) {
    said = await ask().catch(String)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  console.log(said + '\\n' + (await ask()))`

/** Starts the service and nginx as people do, asks, and stops both. */
const SCRIPT = `${PREPARE}
  "$NODE" "$CLI" serve >service.log 2>&1 &
  service=$!
  # This world has one user, root: there is nobody else for the workers to become.
  "$NGINX" -c "$PWD/nginx.conf" -g 'daemon off; user root;' >proxy.log 2>&1 &
  proxy=$!
  "$NODE" --input-type=module -e "$ASK" || true
  kill $proxy $service
  wait`

test('nginx starts with the configuration as it is printed, and keeps what it gets from a service as it starts', async () => {
  const [text = ''] = takeBlocks('Behind a proxy', ['nginx'])
  const nginx = prepareProgram('nginx', 'nginx-light')
  const folder = createMenusFolder({ 'nginx.conf': text, 'menus/main.yaml': MENU })
  const env = { NODE: process.execPath, CLI, NGINX: nginx, ASK, PORT: undefined }
  if (spawnSync('unshare', [...WORLD, 'sh', '-euc', PREPARE]).status !== 0) {
    console.log('    not tried: this machine gives no network of its own')
    return folder.close()
  }
  const run = await runProcess('timeout', ['60', 'unshare', ...WORLD, 'sh', '-euc', SCRIPT], {
    cwd: folder.dir,
    env,
  })
  assert.equal(
    [run.code, run.stdout],
    [0, '200 MISS [{"label":"Home"\n200 HIT [{"label":"Home"\n'],
    run.stderr,
  )
  folder.close()
})

test('/readyz answers what is shown after the mistake of the five minutes', async () => {
  const [shown = ''] = takeBlocks('What an operator sees', ['json'])
  const folder = createMenusFolder()
  const { make, vary, serve } = takeWalk()
  await runShell(make, folder.dir)
  await runShell(vary, folder.dir)
  await withServer(serve, folder.dir, async (url) => {
    misspell(folder)
    await eventually(async () => assert.is((await get(`${url}/readyz`)).text, compact(shown)))
  })
  folder.close()
})

test('Every event of the log has a row, and no row is of another', () => {
  const events = new Set(
    textsOf('src').flatMap((text) => matches(text, /\b(?:log\.\w+\(|tell\(|notice\('\w+',)\s*'([a-z_]+)'/g)),
  )
  const documented = rowsUnder('event', 'when').flatMap(([cell]) => plain(cell).split(', '))
  assert.equal(documented.sort(), [...events].sort())
})

test('Every action of the audit log has a row, and no row is of another', () => {
  const rows = rowsUnder('action', 'what happened, and what else the line has')
  assert.equal(rows.flatMap(([cell]) => plain(cell).split(', ')).sort(), [...AUDIT_ACTIONS].sort())
})

test('Every metric of ours has a row', () => {
  const metrics = matches(textsOf('src/http').join('\n'), /'(menu(?:script)?_[a-z_]+)'/g)
  const documented = rowsUnder('metric', 'what it counts').flatMap(([cell]) => plain(cell).split(', '))
  assert.equal([...documented].sort(), [...new Set(metrics)].sort())
})

test('The signals and the times that are named are those of the server', () => {
  const signals = matches(textsOf('src/cli').join('\n'), /\bon\('(SIG[A-Z]+)'/g)
  const rows = rowsUnder('signal', 'effect').flatMap(([cell = '']) => matches(cell, /`(SIG[A-Z]+)`/g))
  assert.equal(rows.sort(), [...new Set(signals)].sort())
  const source = textsOf('src/http').join('\n')
  for (const [, value = ''] of rowsUnder('limit', 'value')) {
    const [seconds] = /^\d+(?= seconds)/.exec(value) ?? []
    assert.ok(seconds === undefined || source.includes(` = ${seconds}_000\n`), value)
  }
})

test('What reports an incident is an event, a metric or a problem', () => {
  const names = ['event', 'metric'].flatMap((head) =>
    PAGES.flatMap(({ tables }) => tables)
      .filter((table) => table.head[0] === head)
      .flatMap(({ rows }) => rows.flatMap(([cell]) => plain(cell).split(', '))),
  )
  for (const [, , cell = ''] of rowsUnder('what happens', 'what is served', 'what reports it')) {
    for (const name of matches(cell, /`(menu_\w+|[a-z]+_[a-z]+|[a-z]+-[a-z]+)(?:\{.*?\})?`/g))
      assert.ok(names.includes(name) || name in PROBLEM_KINDS, name)
  }
})

testCoverage(test, 'docs/operating.md')

test.run()
