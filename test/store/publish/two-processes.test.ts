import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { sized } from '../../support/figures.js'
import { createLargeFolder } from '../../support/menus-folder.js'
import { runProcess } from '../../support/process.js'
import { programOf } from '../../support/programs.js'

const EACH = sized(40, 500)

test('B7: if two processes save one file, each finds its acknowledged save in the file', async () => {
  const { dir, close } = createLargeFolder({
    'menus/main.yaml': 'version: 1\ncode: main\nname: Main\nitems: []\n',
  })
  const program = programOf('store/publish/publish-own.program.ts')
  const save = (start: string) => runProcess(process.execPath, [...program, dir, start, `${EACH}`])
  for (const { code, stderr } of await Promise.all(['a', 'b'].map(save))) assert.is(code, 0, stderr)
  const { items } = parse(readFileSync(join(dir, 'menus/main.yaml'), 'utf8')) as { items: { id: string }[] }
  const meant = ['a', 'b'].flatMap((start) => Array.from({ length: EACH }, (_, at) => `${start}${at}`))
  assert.equal(items.map(({ id }) => id).sort(), meant.sort())
  close()
})

test.run()
