import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openedOn } from '../../store/opening.js'
import { timesFigure } from '../../support/figures.js'
import { createMenusFolder } from '../../support/menus-folder.js'
import { everySnapshot, longMenu, nameIn, servedWhen } from './serving-store.js'
import { type Save, WAYS_TO_SAVE } from './ways-to-save.js'

const ITEMS = 60
const times: number[] = []

/** Saves some versions in one way; none of them may be seen in part, nor anything that lies about meanwhile. */
async function checkSaves(save: Save): Promise<void> {
  const folder = createMenusFolder({ 'menus/main.yaml': longMenu('main', 'v0', ITEMS) })
  await openedOn(join(folder.dir, 'menus'), async (store, log) => {
    const seen = everySnapshot(store)
    for (const name of ['v1', 'v2']) {
      await save(join(folder.dir, 'menus/main.yaml'), longMenu('main', name, ITEMS))
      times.push(await servedWhen(store, (snapshot) => nameIn(snapshot) === name, { what: name }))
    }
    const labels = seen.flatMap((snapshot) => {
      const menu = snapshot.served.get('main.yaml')?.menu
      const names = menu?.items.map((item) => (item.type === 'divider' ? '' : String(item.label)))
      return [...new Set(names?.map((label) => label.split(' ')[0]))].join(' and ')
    })
    assert.equal(labels, ['v0', 'v1', 'v2'])
    assert.equal(new Set(seen.flatMap(({ files }) => files.map(({ path }) => path))), new Set(['main.yaml']))
    assert.equal(
      log.filter(({ level }) => level === 'error' || level === 'warn'),
      [],
    )
  })
  folder.close()
}

for (const [program, save] of WAYS_TO_SAVE) {
  test(`A4, A18: what is saved as ${program} does it is served whole and soon, and nothing else ever is`, () =>
    checkSaves(save))
}

/** As people have it: what they set in a file of theirs is told behind it. */
const VIM = 'vim -u NONE -i NONE -N -es -c "%d" -c "0r $1" -c "g/^\\$/d"'
/** Programs that are run where they are; none of them has to be. `$0` is the file, `$1` one with the new text. */
const PROGRAMS: readonly (readonly [how: string, script: string])[] = [
  ['vim', `${VIM} -c "set writebackup backupskip= backupcopy=auto" -c "wq" "$0"`],
  ['vim, copying', `${VIM} -c "set backup backupskip= backupcopy=yes" -c "wq" "$0"`],
  ['sed', 'sed -i -e "1r $1" -e "/^/d" "$0"'],
  ['cp', 'cp "$1" "$0"'],
  ['mv', 'cp "$1" "$1.copy" && mv "$1.copy" "$0"'],
  ['dd', 'dd if="$1" of="$0" bs=16 status=none'],
  ['tar', 'cd "$(dirname "$1")" && tar cf - main.yaml | tar xf - -C "$(dirname "$0")"'],
  ['rsync', 'rsync -t "$1" "$0"'],
  ['rsync, in place', 'rsync --inplace --no-whole-file "$1" "$0"'],
  [
    'emacs',
    'emacs -Q --batch "$0" --eval "(progn (erase-buffer) (insert-file-contents \\"$1\\") (save-buffer))"',
  ],
]

/** A save by a real program. */
function byScript(script: string): Save {
  return async (file, text) => {
    const source = createMenusFolder()
    const from = join(source.dir, 'main.yaml')
    writeFileSync(from, text)
    const { status, stderr } = spawnSync('sh', ['-c', script, file, from], { encoding: 'utf8' })
    source.close()
    assert.is(status, 0, stderr)
  }
}

for (const [how, script] of PROGRAMS) {
  const [program] = how.split(',')
  if (spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0) continue
  test(`A4, A18: what the real program saves is served whole and soon: ${how}`, () =>
    checkSaves(byScript(script)))
}

test('A4: every way of saving is live in half a second after its end', () => {
  assert.ok(timesFigure('ways of saving', times, 'p50 150 ms, p99 500 ms') < 5_000)
})

test.run()
