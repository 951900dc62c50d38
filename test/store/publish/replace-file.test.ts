import fs, {
  chmodSync,
  fstatSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { contentHash } from '../../../src/store/hash.js'
import { replaceFile } from '../../../src/store/publish/replace-file.js'
import { createMenusFolder } from '../../support/menus-folder.js'
import { withReplaced } from '../../support/with-replaced.js'

test('A file is replaced with its mode kept, and nothing is left beside it', () => {
  const folder = createMenusFolder({ 'a.yaml': 'before' })
  const file = join(folder.dir, 'a.yaml')
  chmodSync(file, 0o640)
  assert.ok(replaceFile(folder.dir, 'a.yaml', contentHash('before'), 'after'))
  assert.is(readFileSync(file, 'utf8'), 'after')
  assert.is(statSync(file).mode & 0o777, 0o640)
  assert.equal(readdirSync(folder.dir), ['a.yaml'])
  folder.close()
})

test('A file that holds another text meanwhile is left as it is', () => {
  const folder = createMenusFolder({ 'a.yaml': 'mine' })
  const file = join(folder.dir, 'a.yaml')
  assert.not.ok(replaceFile(folder.dir, 'a.yaml', contentHash('before'), 'after'))
  assert.is(readFileSync(file, 'utf8'), 'mine')
  assert.equal(readdirSync(folder.dir), ['a.yaml'])
  folder.close()
})

test('A symbolic link stays one, and what it leads to is replaced', () => {
  const folder = createMenusFolder({ 'real/a.yaml': 'before' })
  symlinkSync('real/a.yaml', join(folder.dir, 'link.yaml'))
  assert.ok(replaceFile(folder.dir, 'link.yaml', contentHash('before'), 'after'))
  assert.ok(lstatSync(join(folder.dir, 'link.yaml')).isSymbolicLink())
  assert.is(readFileSync(join(folder.dir, 'real/a.yaml'), 'utf8'), 'after')
  folder.close()
})

test('A file that is gone is said by the file system', () => {
  const folder = createMenusFolder({})
  assert.throws(() => replaceFile(folder.dir, 'a.yaml', '', 'after'), /ENOENT/)
  folder.close()
})

test('A file that leads out of the folder is not written, and what has a second name keeps it as it was', () => {
  const outside = createMenusFolder({ 'a.yaml': 'before' })
  const folder = createMenusFolder({})
  symlinkSync(join(outside.dir, 'a.yaml'), join(folder.dir, 'a.yaml'))
  assert.throws(() => replaceFile(folder.dir, 'a.yaml', contentHash('before'), 'after'), /leads out/)
  folder.remove('a.yaml')
  linkSync(join(outside.dir, 'a.yaml'), join(folder.dir, 'a.yaml'))
  assert.ok(replaceFile(folder.dir, 'a.yaml', contentHash('before'), 'after'))
  assert.is(readFileSync(join(folder.dir, 'a.yaml'), 'utf8'), 'after')
  assert.equal(readdirSync(outside.dir), ['a.yaml'])
  assert.is(readFileSync(join(outside.dir, 'a.yaml'), 'utf8'), 'before')
  folder.close()
  outside.close()
})

/** What is brought to the disk while something runs, in order; it is brought there all the same. */
async function syncedBy(work: () => void): Promise<readonly string[]> {
  const sync = fs.fsyncSync
  const synced: string[] = []
  const fsyncSync = (descriptor: number): void => {
    synced.push(fstatSync(descriptor).isDirectory() ? 'folder' : 'file')
    sync(descriptor)
  }
  await withReplaced(fs, { fsyncSync }, async () => work())
  return synced
}

test('The text is brought to the disk before it gets its name, and the name behind it', async () => {
  const folder = createMenusFolder({ 'a.yaml': 'before' })
  const replaced = await syncedBy(() => replaceFile(folder.dir, 'a.yaml', contentHash('before'), 'after'))
  assert.equal(replaced, ['file', 'folder'])
  folder.close()
})

test('A folder that may be written to and not listed takes the text all the same', () => {
  const folder = createMenusFolder({ 'a.yaml': 'before' })
  const file = join(folder.dir, 'a.yaml')
  chmodSync(folder.dir, 0o300)
  assert.ok(replaceFile(folder.dir, 'a.yaml', contentHash('before'), 'after'))
  chmodSync(folder.dir, 0o700)
  assert.is(readFileSync(file, 'utf8'), 'after')
  folder.close()
})

test.run()
