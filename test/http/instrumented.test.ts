import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createMenusFolder } from '../support/menus-folder.js'
import { startProcess } from '../support/process.js'
import { programOf } from '../support/programs.js'
import { menuText } from './sites.js'

interface Told {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly handed: readonly number[]
}

const folder = createMenusFolder({ 'menus/main.yaml': menuText('main', 'Home') })
test.after(() => folder.close())

async function ask(when: 'before' | 'after' | 'never'): Promise<Told> {
  const running = startProcess('node', [...programOf('http/instrumented.program.ts'), when, folder.dir])
  assert.equal(await running.ended, { code: 0, signal: null }, running.stderr())
  return JSON.parse(running.stdout()) as Told
}

test('D29: a tool that wraps the writeHead of all answers gets the headers at once, loaded before the handler or after it', async () => {
  const { headers, ...plain } = await ask('never')
  assert.equal(plain, { status: 200, handed: [] })
  for (const when of ['before', 'after'] as const) {
    const told = await ask(when)
    const { 'server-timing': timing, date, ...rest } = told.headers
    assert.equal(
      [timing, rest],
      ['tool', Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'date'))],
      when,
    )
    // What is handed over is not set one by one, with a look at what the tool does in between.
    assert.ok((told.handed[0] ?? 0) > 10, `${when}: ${told.handed}`)
    assert.ok(date)
  }
})

test.run()
