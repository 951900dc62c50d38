import { chownSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { done, failed } from '../../src/model/result.js'
import { nextEpoch, openUsers, type User, withUser } from '../../src/store/users.js'
import { eventually } from '../support/eventually.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { startProcess } from '../support/process.js'
import { programOf } from '../support/programs.js'

const HASH = `$scrypt$ln=14,r=8,p=5$${'A'.repeat(22)}$${'B'.repeat(43)}`
const ANA: User = { name: 'ana', role: 'edit', epoch: 1, hash: HASH }
const LINE = `ana edit 1 ${HASH}\n`

test('Users are read from their lines; blank lines and comments are not users', () => {
  const folder = createMenusFolder({ users: `# people\r\n\r\n${LINE}bo@example.org view 22 -\r\n` })
  const { value } = openUsers(join(folder.dir, 'users')).read()
  assert.equal(
    [...(value ?? [])],
    [
      ['ana', ANA],
      ['bo@example.org', { name: 'bo@example.org', role: 'view', epoch: 22, hash: null }],
    ],
  )
  folder.close()
})

test('Without a file there are no users; with one that cannot be read it is not known, and nobody is a user', () => {
  const folder = createMenusFolder({ 'a-file': '', 'a-folder/x': '' })
  for (const path of ['none', 'no/where', 'a-file/users'])
    assert.is(openUsers(join(folder.dir, path)).read().value?.size, 0, path)
  for (const path of ['a-folder'])
    assert.match(openUsers(join(folder.dir, path)).read().fault ?? '', /cannot be read/)
  folder.write('large', LINE.padEnd(1_100_000, '\n'))
  assert.match(openUsers(join(folder.dir, 'large')).read().fault ?? '', /larger than 1 MB/)
  folder.close()
})

test('A line that is not right is named by its number, and not shown', () => {
  const wrong = [
    'ana',
    'ana edit 1',
    `ana  edit 1 ${HASH}`,
    ` ana edit 1 ${HASH}`,
    `ana owner 1 ${HASH}`,
    `ana edit one ${HASH}`,
    `ana edit -1 ${HASH}`,
    'ana edit 1 secret-word',
    `ana edit 1 ${HASH.replace('ln=14', 'ln=30')}`,
    `ana edit 1 ${HASH.replace('r=8', 'r=0')}`,
    `ana edit 1 ${HASH.slice(0, -1)}`,
    `.. edit 1 ${HASH}`,
    `a/b edit 1 ${HASH}`,
    `${'a'.repeat(65)} edit 1 ${HASH}`,
    `ana edit 1 ${HASH}\u0000`,
  ]
  for (const line of wrong) {
    const folder = createMenusFolder({ users: `# people\n${line}\n` })
    const { fault } = openUsers(join(folder.dir, 'users')).read()
    assert.match(fault ?? '', /^line 2 of /, line)
    assert.not.match(fault ?? '', /secret-word|AAAA/)
    folder.close()
  }
})

test('E21: names that differ only in case are one name, and a reserved one has no password: such a file has no users at all', () => {
  for (const [text, line] of [
    [`${LINE}Ana view 1 ${HASH}\n`, 2],
    [`token edit 1 ${HASH}\n`, 1],
    [`Token edit 1 -\n`, 1],
    [`local edit 1 ${HASH}\n`, 1],
    ['local manage 1 -\n', 1],
    [`Local edit 1 ${HASH}\n`, 1],
  ] as const) {
    const folder = createMenusFolder({ users: text })
    const { fault } = openUsers(join(folder.dir, 'users')).read()
    assert.match(fault ?? '', new RegExp(`^line ${line} of `), text)
    folder.close()
  }
  const folder = createMenusFolder({ users: LINE.replace('ana', 'Ana') })
  assert.is(openUsers(join(folder.dir, 'users')).read().value?.get('ana')?.name, 'Ana')
  folder.close()
})

test('A change by another process is seen with the next read, even if size and time of the file stay', () => {
  const folder = createMenusFolder({ users: LINE })
  const file = join(folder.dir, 'users')
  const users = openUsers(file)
  utimesSync(file, 1_000, 1_000)
  for (let epoch = 2; epoch < 10; epoch++) {
    assert.is(users.read().value?.get('ana')?.epoch, epoch - 1)
    folder.write('users', LINE.replace(' 1 ', ` ${epoch} `))
    utimesSync(file, 1_000, 1_000)
    assert.is(users.read().value?.get('ana')?.epoch, epoch)
  }
  folder.close()
})

test('A change is written for its owner alone, keeps comments, and leaves nothing beside the file', async () => {
  const folder = createMenusFolder({ users: `# people of the shop\n${LINE}` })
  const file = join(folder.dir, 'users')
  const users = openUsers(file)
  const { value } = await users.change((all) => done(withUser(all, { ...ANA, name: 'bo', hash: null })))
  assert.equal([...(value?.keys() ?? [])], ['ana', 'bo'])
  assert.is(readFileSync(file, 'utf8'), `# people of the shop\n${LINE}bo edit 1 -\n`)
  assert.is(statSync(file).mode & 0o777, 0o600)
  assert.equal(readdirSync(folder.dir), ['users'])
  assert.is(users.read().value?.size, 2)
  folder.close()
})

test('Where a change is refused, or the file is broken, nothing is written', async () => {
  const folder = createMenusFolder({ users: LINE })
  const users = openUsers(join(folder.dir, 'users'))
  assert.equal(await users.change(() => failed('no')), failed('no'))
  assert.is(readFileSync(users.file, 'utf8'), LINE)
  folder.write('users', 'broken\n')
  assert.match((await users.change((all) => done(all))).fault ?? '', /^line 1 /)
  assert.is(readFileSync(users.file, 'utf8'), 'broken\n')
  assert.equal(readdirSync(folder.dir), ['users'])
  folder.close()
})

test('A linked users file is changed where it is, and stays its owner’s', async () => {
  const folder = createMenusFolder({ 'real/people': LINE })
  symlinkSync('real/people', join(folder.dir, 'users'))
  if (process.getuid?.() === 0) chownSync(join(folder.dir, 'real/people'), 1_234, 1_234)
  await openUsers(join(folder.dir, 'users')).change((all) => done(withUser(all, { ...ANA, epoch: 2 })))
  assert.match(readFileSync(join(folder.dir, 'real/people'), 'utf8'), /^ana edit 2 /m)
  if (process.getuid?.() === 0) assert.is(statSync(join(folder.dir, 'real/people')).uid, 1_234)
  folder.close()
})

test('An epoch is never given twice, even to another user of the name', () => {
  const first = nextEpoch(undefined)
  assert.ok(nextEpoch({ ...ANA, epoch: first }) > first)
  assert.ok(nextEpoch({ ...ANA, epoch: first + 1e9 }) > first + 1e9)
})

test('Processes that add users at the same time lose none, and a reader sees whole files only', async () => {
  const folder = createMenusFolder({ users: LINE })
  const users = openUsers(join(folder.dir, 'users'))
  const writers = ['a', 'b'].map((name) =>
    startProcess('node', [...programOf('store/add-users.program.ts'), users.file, name, '25']),
  )
  let isOver = false
  const ended = Promise.all(writers.map((writer) => writer.ended)).then((all) => {
    isOver = true
    return all.map(({ code }) => code)
  })
  let reads = 0
  while (!isOver) {
    const { value, fault } = users.read()
    assert.is(fault, null)
    assert.ok(value?.has('ana'))
    reads++
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  assert.equal(await ended, [0, 0], writers.map(({ stderr }) => stderr()).join(''))
  assert.ok(reads > 0)
  assert.is(users.read().value?.size, 1 + 2 * 25)
  assert.equal(readdirSync(folder.dir), ['users'])
  folder.close()
})

test('Users of a repository stay while git writes their file, go with it, and cannot be changed', async () => {
  const folder = createMenusFolder({ users: LINE })
  const users = openUsers(join(folder.dir, 'users'), 'ops/users')
  const count = () => users.read().value?.size
  assert.is(count(), 1)
  rmSync(join(folder.dir, 'users'))
  assert.is(count(), 1)
  await eventually(() => assert.is(count(), 0))
  assert.match((await users.change((all) => done(all))).fault ?? '', 'ops/users in the repository')
  folder.close()
})

test.run()
