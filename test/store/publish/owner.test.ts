import { spawnSync } from 'node:child_process'
import { closeSync, openSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isOwnerDead, leaveOwner } from '../../../src/store/publish/owner.js'
import { FileBusyError, putFile } from '../../../src/store/publish/put-file.js'
import { createMenusFolder } from '../../support/menus-folder.js'

// Only where /proc says when a process began; elsewhere nobody is ever taken for dead.

test('A process is taken for dead only where it is known that it was one of this machine, worked with this very file, and has ended', () => {
  const { dir, close } = createMenusFolder({ text: '' })
  const [file, mark] = [join(dir, 'text'), join(dir, 'mark')]
  assert.is(isOwnerDead(mark, file), false)
  const descriptor = openSync(file, 'r')
  leaveOwner(mark, descriptor)
  closeSync(descriptor)
  assert.is(isOwnerDead(mark, file), false)
  const [, about = '', pid = '', start = ''] = /^(.*) (\d+) (\d+)$/.exec(readlinkSync(mark)) ?? []
  assert.is(pid, `${process.pid}`)
  const { pid: ended } = spawnSync('true')
  const isDead = (said: string): boolean => {
    rmSync(mark, { force: true })
    symlinkSync(said, mark)
    return isOwnerDead(mark, file)
  }
  assert.is(isDead(`${about} ${ended} 1`), true)
  // Another process has its number by now.
  assert.is(isDead(`${about} ${pid} ${Number(start) - 1}`), true)
  assert.is(isDead(`${about} 1 ${readFileSync('/proc/1/stat', 'utf8').split(' ')[21]}`), false)
  assert.is(isDead(`${about.replace(/[\da-f]{8}-/, '00000000-')} ${ended} 1`), false)
  assert.is(isDead(`${about.replace(/pid:\[\d+/, 'pid:[1')} ${ended} 1`), false)
  assert.is(isDead(`${about.replace(/^\d+/, '1')} ${ended} 1`), false)
  for (const odd of ['x', ' ', about, `${about} -1 x`]) assert.is(isDead(odd), false)
  close()
})

test('What a killed process left beside a file is in nobody’s way, and what a living one left is', () => {
  const { dir, close } = createMenusFolder({ 'a.yaml': 'old' })
  const at = (name: string) => join(dir, name)
  putFile(at, 'a.yaml', { text: 'new', mode: 0o600 }, (own) => {
    // From within a save: this process lives.
    assert.throws(
      () => putFile(at, 'a.yaml', { text: 'other', mode: 0o600 }),
      (thrown: Error) => thrown instanceof FileBusyError,
    )
    const mark = own.replace(/tmp$/, 'own')
    const said = readlinkSync(mark)
    rmSync(mark)
    symlinkSync(said.replace(/\d+ \d+$/, `${spawnSync('true').pid} 1`), mark)
    assert.is(putFile(at, 'a.yaml', { text: 'other', mode: 0o600 }), true)
    return true
  })
  assert.is(readFileSync(at('a.yaml'), 'utf8'), 'other')
  close()
})

test.run()
