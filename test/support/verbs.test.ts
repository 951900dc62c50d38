import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from './eventually.js'
import { get } from './http.js'
import { createMenusFolder } from './menus-folder.js'
import { runProcess, startProcess } from './process.js'
import { yaml } from './yaml.js'

test('yaml takes away the margin and nothing else', () => {
  const text = yaml`
    a: "\\n"

    b:
      - 1
  `
  assert.is(text, 'a: "\\\\n"\n\nb:\n  - 1\n')
})

test('yaml keeps a text of several lines in the column that it is put at', () => {
  const items = '- a\n- b:\n    c\n'
  assert.is(
    yaml`
      list:
        ${items}
      end: ${1}
    `,
    'list:\n  - a\n  - b:\n      c\nend: 1\n',
  )
})

test('A menus folder writes and removes on disk, and is gone when it is closed', () => {
  const folder = createMenusFolder({ 'deep/er/a.yaml': 'a' })
  folder.write('deep/b.yaml', new Uint8Array([98]))
  assert.is(readFileSync(join(folder.dir, 'deep/b.yaml'), 'utf8'), 'b')
  folder.remove('deep/er')
  assert.not.ok(existsSync(join(folder.dir, 'deep/er/a.yaml')))
  folder.close()
  assert.not.ok(existsSync(folder.dir))
})

test('eventually waits until nothing is thrown, and throws the last error when time is up', async () => {
  let tries = 0
  const third = () => {
    if (++tries < 3) throw new Error(`try ${tries}`)
    return tries
  }
  assert.is(await eventually(third, { every: 1 }), 3)
  const never = eventually(
    () => {
      throw new Error('never')
    },
    { within: 20 },
  )
  assert.match(String(await never.catch(String)), 'never')
})

test('get sends any header, twice the same too, and reads the answer to its end', async () => {
  const server = createServer((request, response) => {
    const { method, url, rawHeaders } = request
    response.writeHead(418, { 'X-Seen': ['a', 'b'] }).end(JSON.stringify({ method, url, rawHeaders }))
  }).listen(0, '127.0.0.1')
  await eventually(() => assert.ok(server.listening))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const answer = await get(url, {
    method: 'POST',
    target: '/%zz',
    headers: ['Host', 'a', 'Host', 'b'],
    body: 'x',
  })
  server.close()
  assert.equal([answer.status, answer.headers['x-seen']], [418, 'a, b'])
  const seen = answer.json() as { method: string; url: string; rawHeaders: string[] }
  assert.equal([seen.method, seen.url], ['POST', '/%zz'])
  assert.equal(seen.rawHeaders.slice(0, 4), ['Host', 'a', 'Host', 'b'])
})

test('A process is awaited by its output, and stopped', async () => {
  const program = `
    process.on('SIGTERM', () => process.exit(7))
    setInterval(() => {}, 1000)
    console.log('listening on 4400')
  `
  const child = startProcess('node', ['-e', program])
  assert.is((await child.waitFor(/listening on (\d+)/))[1], '4400')
  assert.is(await child.stop(), 7)
  assert.match(String(await child.waitFor(/never said/).catch(String)), /It ended without .*\n.*listening/)
})

test('A program is run to its end with its input', async () => {
  const program = "process.stdin.on('data', (text) => { console.error(text + '!'); process.exitCode = 3 })"
  const { code, stdout, stderr } = await runProcess('node', ['-e', program], { input: 'hello' })
  assert.equal({ code, stdout, stderr }, { code: 3, stdout: '', stderr: 'hello!\n' })
})

test.run()
