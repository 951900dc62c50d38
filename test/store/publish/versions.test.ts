import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openVersions, type VersionLimits, type Versions } from '../../../src/store/publish/versions.js'
import { eventually } from '../../support/eventually.js'
import { createMenusFolder } from '../../support/menus-folder.js'
import { assertTime, timeOf } from '../../support/times.js'

const LIMITS: VersionLimits = { age: 1_000, bytes: 1_000_000, count: 10 }

/** Does something with an empty folder. */
async function inFolder(work: (dir: string) => Promise<void>): Promise<void> {
  const folder = createMenusFolder()
  try {
    await work(folder.dir)
  } finally {
    folder.close()
  }
}

/** Keeps a text of so many bytes, and the text of its place among all. */
function keepMany({ keep }: Versions, count: number, bytes = 10): void {
  for (let place = 0; place < count; place++)
    keep('main.yaml', Buffer.from(`${place} `.padEnd(bytes, 'x')), 'ana')
}

function placesOf({ list, read }: Versions): readonly number[] {
  return list('main.yaml').map(({ id }) => Number.parseInt(Buffer.from(read(id) ?? '').toString(), 10))
}

test('The oldest versions go when there are too many, when all are too large, and when they are too old', async () => {
  await inFolder(async (dir) => {
    let time = 1_000_000
    const open = (limits: Partial<VersionLimits>) =>
      openVersions(join(dir, 'versions'), () => time++, { ...LIMITS, ...limits })
    keepMany(open({}), 30)
    const many = open({})
    many.keep('other.yaml', Buffer.from('other'), 'ana')
    await eventually(() => assert.equal(placesOf(many), [29, 28, 27, 26, 25, 24, 23, 22, 21]))
    const large = open({ bytes: 350 })
    keepMany(large, 5, 100)
    await eventually(() => assert.ok(placesOf(large).length <= 3))
    assert.is(placesOf(large)[0], 4)
    time += 2_000
    const old = open({})
    old.keep('main.yaml', Buffer.from('7'), 'ana')
    await eventually(() => assert.equal(placesOf(old), [7]))
  })
})

test('E18: Keeping a version takes as long in a folder of 20,000 as in an empty one', async () => {
  await inFolder(async (dir) => {
    const versions = openVersions(join(dir, 'versions'), Date.now)
    const ending = 'f'.repeat(32)
    for (let place = 0; place < 20_000; place++) {
      const name = `${String(Date.now()).padStart(15, '0')}-${String(place).padStart(7, '0')}-${ending}`
      writeFileSync(join(dir, 'versions', name), '{"path":"other.yaml","version":"","author":"ana"}\nx')
    }
    versions.keep('main.yaml', Buffer.from('first'), 'ana')
    assertTime('keep 20 versions among 20,000', 40, () => timeOf(() => keepMany(versions, 20)))
    assert.ok(versions.list('main.yaml').length >= 21)
    await eventually(() => assert.ok(readdirSync(join(dir, 'versions')).length <= 20_200))
  })
})

test.run()
