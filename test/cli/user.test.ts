import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { SILENT_LOG } from '../../src/service/log.js'
import { createPasswords } from '../../src/store/passwords.js'
import { openUsers } from '../../src/store/users.js'
import { userLine } from '../dashboard/access/dashboards.js'
import { createMenusFolder, type MenusFolder } from '../support/menus-folder.js'
import { menuscript, menuscriptProcess, onTerminal } from './command.js'

const PASSWORD = 'correct horse battery'
const CONFIG = 'menuscript.config.yaml'

interface Folder extends MenusFolder {
  readonly run: (...args: string[]) => ReturnType<typeof menuscript>
  /** Runs it with a password on its stdin. */
  readonly pipe: (password: string, ...args: string[]) => ReturnType<typeof menuscript>
  readonly userOf: (name: string) => ReturnType<typeof usersOf>[number] | undefined
}

function usersOf(dir: string) {
  return [...(openUsers(join(dir, '.menuscript/users')).read().value?.values() ?? [])]
}

async function inFolder(files: Readonly<Record<string, string>>, test: (folder: Folder) => Promise<void>) {
  const folder = createMenusFolder(files)
  const cwd = folder.dir
  try {
    await test({
      ...folder,
      run: (...args) => menuscript(['user', ...args], { cwd }),
      pipe: (input, ...args) => menuscriptProcess(['user', ...args, '--password-stdin'], { cwd, input }),
      userOf: (name) => usersOf(cwd).find((user) => user.name === name),
    })
  } finally {
    folder.close()
  }
}

async function hasPassword(hash: string | null | undefined, password: string) {
  return (await createPasswords(SILENT_LOG).matches(password, hash ?? null)).value
}

test('A user is added, listed, gets another password and is removed', () =>
  inFolder({}, async ({ run, pipe, userOf, dir }) => {
    const added = await pipe(`${PASSWORD}\n`, 'add', 'ana', '--role', 'edit')
    assert.equal([added.code, added.stdout], [0, 'added ana, role edit\n'])
    assert.match(added.stderr, /^note: this is the first user/)
    const first = userOf('ana')
    assert.ok(await hasPassword(first?.hash, PASSWORD))
    assert.equal(await pipe(PASSWORD, 'add', 'vic'), {
      code: 0,
      stdout: 'added vic, role view\n',
      stderr: '',
    })
    assert.is((await run('list')).stdout, 'NAME  ROLE\nana   edit\nvic   view\n')
    const file = join(dir, '.menuscript/users')
    const users = [
      { name: 'ana', role: 'edit' },
      { name: 'vic', role: 'view' },
    ]
    assert.equal(JSON.parse((await run('list', '--json')).stdout), { version: 1, file, users })
    assert.is((await pipe('another password', 'passwd', 'ana')).stdout, 'changed the password of ana\n')
    const second = userOf('ana')
    assert.ok(await hasPassword(second?.hash, 'another password'))
    assert.ok((second?.epoch ?? 0) > (first?.epoch ?? 0))
    assert.is(second?.role, 'edit')
    assert.is((await run('remove', 'ana')).stdout, 'removed ana\n')
    assert.is((await run('list')).stdout, 'NAME  ROLE\nvic   view\n')
    const audit = readFileSync(join(dir, '.menuscript/audit.log'), 'utf8')
    for (const text of [readFileSync(file, 'utf8'), audit]) assert.not.match(text, /correct|horse|another/)
    const actions = audit
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.equal(
      actions.map(({ action, account, via }) => `${action} ${account} ${via}`),
      ['user-added ana', 'user-added vic', 'password-changed ana', 'user-removed ana'].map(
        (each) => `${each} command`,
      ),
    )
    assert.not.match(audit, 'scrypt')
  }))

test('A user who is removed and added again has none of the earlier sessions', () =>
  inFolder({}, async ({ run, pipe, userOf }) => {
    await pipe(PASSWORD, 'add', 'ana')
    const before = userOf('ana')?.epoch ?? 0
    await run('remove', 'ana')
    await pipe(PASSWORD, 'add', 'ana')
    assert.ok((userOf('ana')?.epoch ?? 0) > before)
  }))

test('A name that is there or is not there is a finding, with the one that was probably meant', () =>
  inFolder({}, async ({ run, pipe }) => {
    await pipe(PASSWORD, 'add', 'anabel')
    for (const name of ['anabel', 'Anabel']) {
      const { code, stdout, stderr } = await pipe(PASSWORD, 'add', name)
      assert.equal([code, stdout], [1, ''])
      assert.match(stderr, /^error: anabel already exists/)
    }
    for (const outcome of [await run('remove', 'anabell'), await pipe(PASSWORD, 'passwd', 'anabell')])
      assert.equal(
        [outcome.code, outcome.stderr],
        [1, 'error: "anabell" is not a user; did you mean anabel?\n'],
      )
    assert.is((await run('remove', 'zoe')).stderr, 'error: "zoe" is not a user\n')
  }))

const NAMES = [
  '',
  '.',
  '..',
  '../x',
  'a/b',
  'a b',
  'a\nb',
  '-x',
  '_x',
  'ä',
  '__proto__',
  'a:b',
  '<b>',
  'a'.repeat(65),
]

test('Names are of an allow-list, and two are taken', () =>
  inFolder({}, async ({ run, dir }) => {
    for (const name of [...NAMES, 'local', 'token', 'Local']) {
      const { code, stdout, stderr } = await run('add', '--password-stdin', '--', name)
      assert.equal([code, stdout], [2, ''], name)
      assert.match(stderr, /^error: .* cannot be the name of a user|^error: \w+ is reserved/)
    }
    assert.not.ok(existsSync(join(dir, '.menuscript')))
  }))

test('A password is of twelve characters or more, comes on stdin or from a terminal, and never from an argument', () =>
  inFolder({}, async ({ pipe, run, dir }) => {
    for (const password of [
      '',
      '\n',
      'short',
      'eleven char',
      '𝒂𝒃𝒄𝒅𝒆𝒇',
      'x'.repeat(1_025),
      'x'.repeat(5_000_000),
    ]) {
      const { code, stderr } = await pipe(password, 'add', 'ana')
      assert.equal([code, stderr], [2, 'error: a password has 12 to 1,024 characters\n'])
    }
    const { code, stderr } = await menuscriptProcess(['user', 'add', 'ana'], { cwd: dir, input: PASSWORD })
    assert.is(code, 2)
    assert.match(stderr, /--password-stdin/)
    assert.is((await run('add', 'ana', PASSWORD)).code, 2)
    assert.is((await run('add', 'ana', '--password', PASSWORD)).code, 2)
    assert.is((await run('add', 'ana', '--role', 'admin')).code, 2)
    assert.not.ok(existsSync(join(dir, '.menuscript')))
    assert.is((await pipe(`${'ä'.repeat(12)}\r\n`, 'add', 'ana')).code, 0)
    assert.match((await pipe(PASSWORD, 'add', 'mia', '--role', 'manage')).stdout, 'added mia, role manage')
    assert.match((await run('list')).stdout, /^mia {3}manage$/m)
  }))

test('On a terminal the password is asked for twice, and not shown', () =>
  inFolder({ '.menuscript/users': userLine('ana') }, async ({ dir, userOf }) => {
    if (spawnSync('script', ['--version']).error !== undefined)
      return console.log('    not tried: there is no script(1) on this machine')
    const ask = (...answers: string[]) =>
      onTerminal(dir, ['user', 'passwd', 'ana'], /(?:Password|Repeat the password): /, answers)
    const before = userOf('ana')?.hash
    const other = await ask('another password\r', 'another passwort\r')
    assert.is(
      other.replaceAll('\r', ''),
      '1 Password: \nRepeat the password: \nerror: the passwords differ; nothing was changed\n',
    )
    assert.match(await ask('anoth\u0003'), /^1 Password: \s+error: no password was given/)
    assert.is(userOf('ana')?.hash, before)
    const changed = await ask('another passworx\u007fd\r', 'another password\r')
    assert.is(
      changed.replaceAll('\r', ''),
      '0 Password: \nRepeat the password: \nchanged the password of ana\n',
    )
    assert.ok(await hasPassword(userOf('ana')?.hash, 'another password'))
  }))

test('A broken users file, or one that cannot be written, is exit code 3, and stays as it is', () =>
  inFolder({ '.menuscript/users': '# people\nana edit\n' }, async ({ run, pipe, dir, write }) => {
    for (const outcome of [
      await run('list'),
      await run('remove', 'ana'),
      await pipe(PASSWORD, 'add', 'bo'),
    ]) {
      assert.equal([outcome.code, outcome.stdout], [3, ''])
      assert.match(outcome.stderr, /^error: line 2 of .*users is not "NAME ROLE EPOCH HASH"\n$/)
    }
    assert.is(readFileSync(join(dir, '.menuscript/users'), 'utf8'), '# people\nana edit\n')
    write(CONFIG, 'dashboard: { users_file: no/such/folder/users }')
    const { code, stderr } = await pipe(PASSWORD, 'add', 'bo')
    assert.is(code, 3)
    assert.match(stderr, /^error: .*no\/such\/folder\/users cannot be written: ENOENT/)
    write(CONFIG, 'storage: { connections: { default: . } }\nstate: { dir: state }')
    assert.match(
      (await pipe(PASSWORD, 'add', 'bo')).stderr,
      /^error: .*state \(state\.dir\) is in the menus folder/,
    )
  }))

test('The users file is where the configuration says', () =>
  inFolder({ [CONFIG]: 'dashboard: { users_file: people }' }, async ({ pipe, run, dir }) => {
    assert.is((await pipe(PASSWORD, 'add', 'ana')).code, 0)
    assert.match(readFileSync(join(dir, 'people'), 'utf8'), /^ana view \d+ \$scrypt\$/m)
    assert.not.ok(existsSync(join(dir, '.menuscript/users')))
    assert.is((await run('list')).stdout, 'NAME  ROLE\nana   view\n')
  }))

test('Without users the list is empty and says how to add one; without a command the help is printed', () =>
  inFolder({}, async ({ run }) => {
    assert.equal(await run('list'), {
      code: 0,
      stdout: '',
      stderr: 'note: there is no user; add one with menuscript user add\n',
    })
    assert.equal(JSON.parse((await run('list', '--json')).stdout).users, [])
    assert.is((await run()).code, 2)
    assert.match((await run('ad')).stderr, /Did you mean add\?/)
  }))

test('Where users come from a repository, the line to commit is printed, and nothing is written', () =>
  inFolder(
    { [CONFIG]: 'storage: { git: { remote: hub.git } }\ndashboard: { users_file: git:ops/users }' },
    async ({ run, pipe, dir, write }) => {
      const added = await pipe(`${PASSWORD}\n`, 'add', 'ana', '--role', 'edit')
      assert.is(added.code, 0)
      assert.match(added.stdout, /^ana edit \d+ \S+\n$/)
      assert.match(added.stderr, 'note: users come from the repository: commit this line to ops/users')
      assert.not.ok(existsSync(join(dir, '.menuscript/users')))
      write('.menuscript-clone/ops/users', added.stdout)
      assert.match((await run('list')).stdout, /^ana +edit$/m)
      const changed = await pipe('another password\n', 'passwd', 'ana')
      assert.match(changed.stdout, /^ana edit \d+ \S+\n$/)
      assert.is.not(changed.stdout, added.stdout)
      const removed = await run('remove', 'ana')
      assert.is(removed.code, 1)
      assert.match(removed.stderr, 'delete the line of ana from ops/users')
      assert.is(readFileSync(join(dir, '.menuscript-clone/ops/users'), 'utf8'), added.stdout)
    },
  ))

test.run()
