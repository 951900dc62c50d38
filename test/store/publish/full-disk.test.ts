import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { contentHash } from '../../../src/store/hash.js'
import { figure, sized } from '../../support/figures.js'
import { createMenusFolder } from '../../support/menus-folder.js'
import { openParts } from './try-publish.js'

const SAVES = sized(1_000, 10_000)
const PAGE = 4_096
/** More pages than a save needs: for the text, the version that it replaces, and their names. */
const STEPS = 16

/** A menu of some pages; each has another size. */
const textOf = (number: number): string =>
  `version: 1\ncode: main\nname: Number ${number}\nitems: []\n# ${'x'.repeat(3_000 + ((number * 977) % 9_000))}\n`

/** Fills a disk, but for some pages. */
function leaveFree(dir: string, pages: number): void {
  rmSync(join(dir, 'filler'), { force: true })
  const { bavail, bsize } = statfsSync(dir)
  writeFileSync(join(dir, 'filler'), Buffer.alloc(Math.max(0, bavail * bsize - pages * PAGE)))
}

test('B3, Trap 2: of saves on a disk with every step of space left, each is whole or refused, and the next one with space works', async () => {
  const { dir, close } = createMenusFolder({})
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', dir])
  if (mounted.status !== 0) {
    // Only root may mount; faults.test.ts fails every call in turn, wherever it runs.
    console.log(`    not here: no tmpfs can be mounted: ${`${mounted.stderr ?? mounted.error}`.trim()}`)
    close()
    return
  }
  let [refused, saved] = [0, 0]
  try {
    const parts = openParts(dir)
    const file = join(dir, 'menus/main.yaml')
    const save = (version: string | null, text: string) =>
      parts.publisher.publish([{ kind: 'text', path: 'main.yaml', version, text }], { author: 'ana' })
    let text = textOf(0)
    assert.is((await save(null, text)).fault, null)
    for (let number = 1; number <= SAVES; number++) {
      const pages = number % STEPS
      leaveFree(dir, pages)
      const { fault } = await save(contentHash(text), textOf(number))
      if (fault === null) text = textOf(number)
      else assert.is(fault.reason, 'no-space', JSON.stringify(fault))
      if (fault === null) saved++
      else refused++
      assert.is(readFileSync(file, 'utf8'), text, `save ${number} with ${pages} pages left`)
      assert.equal(readdirSync(join(dir, 'menus')), ['main.yaml'])
    }
    rmSync(join(dir, 'filler'))
    assert.is((await save(contentHash(text), textOf(-1))).fault, null)
    for (const { id, version } of parts.versions.list('main.yaml'))
      assert.is(contentHash(parts.versions.read(id) ?? ''), version)
    figure(
      `${SAVES} saves on a disk that is nearly full`,
      `${refused} refused, ${saved} saved`,
      '0 truncated',
    )
    assert.ok(refused > 0 && saved > 0)
  } finally {
    spawnSync('umount', ['-l', dir])
    close()
  }
})

test.run()
