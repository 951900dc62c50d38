import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isWritable } from '../../../src/store/publish/writable.js'
import { createMenusFolder } from '../../support/menus-folder.js'

test('B4: a folder that a publish would create is writable where its parent is; nothing is below a file', () => {
  const folder = createMenusFolder({ 'a.yaml': '' })
  assert.ok(isWritable(folder.dir))
  assert.ok(isWritable(join(folder.dir, 'menus/deeper')))
  assert.not.ok(isWritable(join(folder.dir, 'a.yaml/menus')))
  folder.close()
})

test.run()
