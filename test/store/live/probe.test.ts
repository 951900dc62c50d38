import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createProbe } from '../../../src/store/live/probe.js'
import { createMenusFolder } from '../../support/menus-folder.js'
import { standStill } from '../../support/stand-still.js'

test('A16: a folder that responded while the process was stalled is not reported as silent', async () => {
  const folder = createMenusFolder()
  let lateAnswers = 0
  const answers = createProbe(folder.dir, () => lateAnswers++)
  const asked = answers()
  // Longer than a folder may take to answer.
  standStill(3_200)
  assert.equal([await asked, await answers(), lateAnswers], [true, true, 0])
  folder.close()
})

test.run()
