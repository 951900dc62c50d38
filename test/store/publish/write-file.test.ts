import { spawnSync } from 'node:child_process'
import { chmodSync, linkSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { contentHash } from '../../../src/store/hash.js'
import { isWritable, writeFile } from '../../../src/store/publish/write-file.js'
import { prepareProgram } from '../../support/apt.js'
import { createMenusFolder } from '../../support/menus-folder.js'

test('A replaced file keeps its mode, and no other file is left behind', () => {
  const folder = createMenusFolder({ 'a.yaml': 'before' })
  const file = join(folder.dir, 'a.yaml')
  chmodSync(file, 0o640)
  assert.ok(writeFile(folder.dir, 'a.yaml', contentHash('before'), 'after'))
  assert.is(readFileSync(file, 'utf8'), 'after')
  assert.is(statSync(file).mode & 0o777, 0o640)
  assert.equal(readdirSync(folder.dir), ['a.yaml'])
  folder.close()
})

test('A file with another text meanwhile is left unchanged', () => {
  const folder = createMenusFolder({ 'a.yaml': 'mine' })
  const file = join(folder.dir, 'a.yaml')
  assert.not.ok(writeFile(folder.dir, 'a.yaml', contentHash('before'), 'after'))
  assert.is(readFileSync(file, 'utf8'), 'mine')
  assert.equal(readdirSync(folder.dir), ['a.yaml'])
  folder.close()
})

test('A symbolic link is kept, and its target is replaced', () => {
  const folder = createMenusFolder({ 'real/a.yaml': 'before' })
  symlinkSync('real/a.yaml', join(folder.dir, 'link.yaml'))
  assert.ok(writeFile(folder.dir, 'link.yaml', contentHash('before'), 'after'))
  assert.ok(lstatSync(join(folder.dir, 'link.yaml')).isSymbolicLink())
  assert.is(readFileSync(join(folder.dir, 'real/a.yaml'), 'utf8'), 'after')
  folder.close()
})

test('For a missing file the error of the file system is thrown', () => {
  const folder = createMenusFolder({})
  assert.throws(() => writeFile(folder.dir, 'a.yaml', '', 'after'), /ENOENT/)
  folder.close()
})

test('A file that leads out of the folder is not written, and a second name of a file keeps its old text', () => {
  const outside = createMenusFolder({ 'a.yaml': 'before' })
  const folder = createMenusFolder({})
  symlinkSync(join(outside.dir, 'a.yaml'), join(folder.dir, 'a.yaml'))
  assert.throws(() => writeFile(folder.dir, 'a.yaml', contentHash('before'), 'after'), /leads out/)
  folder.remove('a.yaml')
  linkSync(join(outside.dir, 'a.yaml'), join(folder.dir, 'a.yaml'))
  assert.ok(writeFile(folder.dir, 'a.yaml', contentHash('before'), 'after'))
  assert.is(readFileSync(join(folder.dir, 'a.yaml'), 'utf8'), 'after')
  assert.equal(readdirSync(outside.dir), ['a.yaml'])
  assert.is(readFileSync(join(outside.dir, 'a.yaml'), 'utf8'), 'before')
  folder.close()
  outside.close()
})

/** Replaces a file in a process of its own, and answers what that asks of the disk, as strace sees it. */
function callsOfReplacing(dir: string, name: string): readonly string[] {
  const module = new URL('../../../src/store/publish/write-file.ts', import.meta.url)
  const words = JSON.stringify([dir, name, contentHash('before'), 'after']).slice(1, -1)
  const script = `import(${JSON.stringify(module.href)}).then(({ writeFile }) => writeFile(${words}))`
  const traced = ['-f', '-y', '-qq', '-e', 'trace=fsync,rename,renameat,renameat2', '-o', 'calls']
  const program = [process.execPath, '--import', import.meta.resolve('tsx'), '-e', script]
  const { status, stderr } = spawnSync('strace', [...traced, ...program], { cwd: dirname(dir) })
  assert.is(status, 0, String(stderr))
  const lines = readFileSync(join(dirname(dir), 'calls'), 'utf8').split('\n')
  return lines.flatMap((line) => {
    // The folder is reached through its descriptor.
    if (/ rename(at2?)?\(/.test(line) && line.includes(name)) return ['rename']
    if (!line.includes(' fsync(') || !line.includes(dir)) return []
    return [/\.tmp>/.test(line) ? 'sync of the text' : 'sync of the folder']
  })
}

test('The text is brought to the disk before it gets its name, and the name behind it', () => {
  if (spawnSync(prepareProgram('strace', 'strace'), ['-qq', '-o', '/dev/null', 'true']).status !== 0) {
    console.log('    No process may look into another on this machine: this cannot be tried here.')
    return
  }
  const folder = createMenusFolder({ 'menus/a.yaml': 'before' })
  const calls = callsOfReplacing(join(folder.dir, 'menus'), 'a.yaml')
  assert.equal(calls, ['sync of the text', 'rename', 'sync of the folder'])
  folder.close()
})

test('A file is replaced in a folder that may be written to but not listed', () => {
  const folder = createMenusFolder({ 'a.yaml': 'before' })
  const file = join(folder.dir, 'a.yaml')
  chmodSync(folder.dir, 0o300)
  assert.ok(writeFile(folder.dir, 'a.yaml', contentHash('before'), 'after'))
  chmodSync(folder.dir, 0o700)
  assert.is(readFileSync(file, 'utf8'), 'after')
  folder.close()
})

test('B4: a folder that a publish would create is writable where its parent is; nothing is below a file', () => {
  const folder = createMenusFolder({ 'a.yaml': '' })
  assert.ok(isWritable(folder.dir))
  assert.ok(isWritable(join(folder.dir, 'menus/deeper')))
  assert.not.ok(isWritable(join(folder.dir, 'a.yaml/menus')))
  folder.close()
})

test.run()
