import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { freePort } from '../support/free-port.js'
import { get } from '../support/http.js'
import { createMenusFolder, type MenusFolder } from '../support/menus-folder.js'
import { type Running, startProcess } from '../support/process.js'
import { menuText, PROGRAM } from './command.js'

const MAIN = { 'menus/main.yaml': menuText('main') }
/** Each request gets a line in the log. */
const ENV = { MENUSCRIPT_LOG_LEVEL: 'debug' }

/** Starts the command by a shell that sends what it says somewhere else; it is the shell's own process then. */
function startInShell(args: string, where: string, { dir }: MenusFolder): Running {
  const line = `exec "$@" ${args} ${where}`
  return startProcess('sh', ['-c', line, 'sh', process.execPath, ...PROGRAM], { cwd: dir, env: ENV })
}

/** The service answers, follows its files and ends as ever. */
async function livesOn(child: Running, port: number, folder: MenusFolder): Promise<void> {
  const ask = () => get(`http://127.0.0.1:${port}/api/menu/main`)
  await eventually(async () => assert.match((await ask()).text, '"main"'))
  folder.write('menus/main.yaml', menuText('main', 'changed'))
  await eventually(async () => assert.match((await ask()).text, '"changed"'))
  for (let i = 0; i < 3; i++) assert.is((await ask()).status, 200)
  assert.is(await child.stop(), 0)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

for (const [rule, where] of [
  ['its log', '2>/dev/full'],
  ['where it listens', '>/dev/full'],
  ['anything', '>/dev/full 2>&1'],
] as const) {
  test(`R0: a service that cannot write ${rule}, as the disk is full, lives on`, async () => {
    const folder = createMenusFolder(MAIN)
    const port = await freePort()
    await livesOn(startInShell(`serve --port ${port}`, where, folder), port, folder)
    folder.close()
  })
}

test('R0: a service stays up when the reader of its log is gone', async () => {
  const folder = createMenusFolder(MAIN)
  const port = await freePort()
  // The reader ends at its first line.
  const script = `mkfifo log; head -n 1 log & exec "$@" serve --port ${port} 2>log`
  const child = startProcess('sh', ['-c', script, 'sh', process.execPath, ...PROGRAM], {
    cwd: folder.dir,
    env: ENV,
  })
  await livesOn(child, port, folder)
  folder.close()
})

test('R0: a service stays up when its terminal is gone, and ends as usual', async () => {
  const folder = createMenusFolder(MAIN)
  const port = await freePort()
  const serve = `"${process.execPath}" "${PROGRAM[0]}" serve --port ${port}`
  // In a session of its own, as a service that somebody left running: it is not told that the terminal goes.
  folder.write('start.sh', `${serve} & echo $! >pid; wait $!; echo $? >code`)
  const terminal = startProcess('script', ['-qc', 'setsid sh start.sh & sleep 60', '/dev/null'], {
    cwd: folder.dir,
    env: ENV,
  })
  const read = (name: string) => readFileSync(join(folder.dir, name), 'utf8').trim()
  await terminal.waitFor(/listening on/)
  const pid = Number(read('pid'))
  try {
    terminal.send('SIGKILL')
    await terminal.ended
    for (let i = 0; i < 3; i++) assert.is((await get(`http://127.0.0.1:${port}/api/menu/main`)).status, 200)
    process.kill(pid, 'SIGTERM')
    await eventually(() => assert.is(read('code'), '0'))
  } finally {
    if (isAlive(pid)) process.kill(pid, 'SIGKILL')
    folder.close()
  }
})

test('A command that cannot write its result reports that, and ends with exit code 3', async () => {
  const folder = createMenusFolder(MAIN)
  for (const args of ['lint', 'config', 'explain main']) {
    const child = startInShell(args, '>/dev/full', folder)
    assert.is((await child.ended).code, 3, args)
    assert.match(child.stderr(), /^error: the output cannot be written: .*ENOSPC/, args)
  }
  folder.close()
})

test.run()
