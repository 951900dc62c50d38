import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { CLI, textOf } from '../readme/readme.js'
import { prepareProgram } from '../support/apt.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { runProcess } from '../support/process.js'
import { kitText, swapped } from './kit.js'

const NAME = 'menuscript.service'
const UNIT = kitText(NAME)
const PROGRAM = '/srv/menus/node_modules/.bin/menuscript'

/** What systemd-analyze says of a unit: its exit code and all that it prints. */
async function analyze(unit: string, ...args: readonly string[]): Promise<readonly [number | null, string]> {
  const program = prepareProgram('systemd-analyze', 'systemd')
  const folder = createMenusFolder({ [NAME]: unit })
  const { code, stdout, stderr } = await runProcess(program, [...args, `${folder.dir}/${NAME}`], {
    env: { SYSTEMD_PAGER: 'cat' },
  })
  folder.close()
  return [code, stdout + stderr]
}

test('systemd finds nothing wrong with the unit', async () => {
  // Verified is also that the program exists.
  assert.equal(await analyze(swapped(UNIT, { [`ExecStart=${PROGRAM}`]: `ExecStart=${CLI}` }), 'verify'), [
    0,
    '',
  ])
  assert.match((await analyze(UNIT.replace('RestartSec', 'RestartSecs'), 'verify'))[1], 'Unknown key')
})

test('Its exposure is at most the figure on the page', async () => {
  const [, figure = ''] =
    /an exposure of at most (\d\.\d)/.exec(textOf('systemd').replaceAll('\n', ' ')) ?? []
  const measure = ['security', '--offline=true', `--threshold=${figure.replace('.', '')}`]
  const [code, output] = await analyze(UNIT, ...measure)
  assert.is(code, 0, output)
  assert.is((await analyze(UNIT.replace(/^CapabilityBoundingSet=\n/m, ''), ...measure))[0], 1)
})

test('The state is in the folder that systemd creates, and the commands of the page use the same one', () => {
  const [, folder = ''] = /^Environment=MENUSCRIPT_STATE_DIR=(\S+)$/m.exec(UNIT) ?? []
  assert.match(folder, `/var/lib/${/^StateDirectory=(\S+)$/m.exec(UNIT)?.[1]}/`)
  const commands =
    textOf('systemd')
      .match(/^```sh\n[\s\S]*?^```$/gm)
      ?.join('\n') ?? ''
  assert.match(commands, `sudo -u menuscript env MENUSCRIPT_STATE_DIR=${folder} \\\n`)
  // What is appended twice is there twice.
  assert.not.match(commands, '>>')
})

test.run()
