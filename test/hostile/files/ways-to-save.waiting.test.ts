import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Snapshot } from '../../../src/model/snapshot.js'
import type { Store } from '../../../src/store/live/open-store.js'
import { followedOn, type LogLine } from '../../store/opening.js'
import { timesFigure } from '../../support/figures.js'
import { createMenusFolder } from '../../support/menus-folder.js'
import { runProcess } from '../../support/process.js'
import { longestPart, whenQuick } from '../../support/writers.js'
import { everySnapshot, longMenu, nameIn, servedWhen } from './serving-store.js'
import { type Save, WAYS_TO_SAVE } from './ways-to-save.js'

const ITEMS = 60
const times: number[] = []

/** Saves some versions in one way; none of them may be seen in part, nor anything that lies about meanwhile. */
async function checkSaves(save: Save): Promise<void> {
  const { seen, log } = await whenQuick(() => saveTwice(save))
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
}

/** All that was served and told while something was saved. */
interface Told {
  readonly seen: readonly Snapshot[]
  readonly log: readonly LogLine[]
}

/** Saves two versions over a first one. */
async function saveTwice(save: Save): Promise<{ longest: number; result: Told }> {
  const folder = createMenusFolder({ 'menus/main.yaml': longMenu('main', 'v0', ITEMS) })
  const file = join(folder.dir, 'menus/main.yaml')
  let result: Told = { seen: [], log: [] }
  let longest = 0
  const test = async (store: Store, log: readonly LogLine[]): Promise<void> => {
    result = { seen: everySnapshot(store), log }
    for (const name of ['v1', 'v2']) {
      const part = await longestPart(file, () => save(file, longMenu('main', name, ITEMS)))
      longest = Math.max(longest, part)
      times.push(await servedWhen(store, (snapshot) => nameIn(snapshot) === name, { what: name }))
    }
  }
  await followedOn(join(folder.dir, 'menus'), test)
  folder.close()
  return { longest, result }
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
  ['cat, in two halves', '{ head -c 1000 "$1"; sleep 0.05; tail -c +1001 "$1"; } | cat > "$0"'],
  ['tar', 'cd "$(dirname "$1")" && tar cf - main.yaml | tar xf - -C "$(dirname "$0")"'],
  [
    'tar, from a pipe that stalls',
    'tar cf - -C "$(dirname "$1")" main.yaml | { head -c 1536; sleep 0.05; cat; } | tar -b 1 -xf - -C "$(dirname "$0")"',
  ],
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
    // The store goes on meanwhile.
    const { code, stderr } = await runProcess('sh', ['-c', script, file, from])
    source.close()
    assert.is(code, 0, stderr)
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
