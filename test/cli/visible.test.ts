import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createLogLines } from '../../src/cli/log-lines.js'
import { createTerminal } from '../../src/cli/terminal.js'
import { createInk } from '../../src/review/ink.js'
import { createRepository, type TestRepository } from '../support/repository.js'
import { menuscript, menuText, type Outcome } from './command.js'

const BAD = 'a\x1b[31mRED\u202ex.yaml'
const SHOWN = 'a·[31mRED·x.yaml'
/** Whether a terminal would do anything with a text but show it, in our own colours. */
function isObeyed(text: string): boolean {
  const left = stripVTControlCharacters(text).replaceAll('\n', '')
  return text.includes('\x1b[31mRED') || /[\p{Cc}\p{Cf}]/u.test(left)
}

type Project = TestRepository & { readonly run: (...args: readonly string[]) => Promise<Outcome> }

/** Runs a test on a menu with such a name that has something to mend, in colour; all that is said must be text. */
async function inProject(test: (project: Project) => Promise<void>): Promise<void> {
  const repository = createRepository({
    'menuscript.config.yaml': 'locales: [en]\n',
    [`menus/${BAD}`]: 'version: 1\ncode: a\nname: A\nitems:\n  - { type: divider, url: / }\n',
  })
  const run: Project['run'] = async (...args) => {
    const outcome = await menuscript(args, { cwd: repository.dir, env: { FORCE_COLOR: '1' } })
    assert.is(isObeyed(outcome.stdout), false, args.join(' '))
    assert.is(isObeyed(outcome.stderr), false, args.join(' '))
    return outcome
  }
  try {
    await test({ ...repository, run })
  } finally {
    repository.close()
  }
}

test('lint prints a file under a name that a terminal does not obey, also on the command line and where it fixes', () =>
  inProject(async ({ run }) => {
    assert.match((await run('lint')).stdout, SHOWN)
    assert.match((await run('lint', `menus/none-${BAD}`)).stderr, `there is no menus/none-${SHOWN}`)
    assert.match((await run('lint', `--no-${BAD}`)).stderr, `unknown option '--no-${SHOWN}'`)
    assert.match((await run('lint', '--changed', BAD)).stderr, 'RED·x.yaml')
    assert.match((await run('lint', '--fix')).stderr, `fixed menus/${SHOWN}: ignored-on-divider`)
  }))

test('diff and new print revisions, folders and files so', () =>
  inProject(async ({ run, write }) => {
    assert.match((await run('diff', BAD)).stderr, 'RED·x.yaml')
    assert.match((await run('diff', '--output', `none/${BAD}`)).stderr, `none/${SHOWN} cannot be written`)
    assert.match((await run('new', 'b', '--file', `menus/${BAD}`)).stderr, `menus/${SHOWN} already exists`)
    assert.match(
      (await run('new', 'b', '--file', `menus/b${BAD}`)).stderr,
      `menus/b${SHOWN} would not be read`,
    )
    assert.match((await run('new', 'b', '--file', 'menus/b\u202e.yaml')).stdout, 'menus/b·.yaml\n')
    write('menuscript.config.yaml', `storage: { connections: { default: other\u202e } }\n`)
    write('other\u202e/a.yaml', '')
    assert.match((await run('diff')).stderr, 'other· in HEAD')
  }))

test('Our colours are shown, and a colour inside a name is not', () => {
  const { paint, toShown } = createInk(true)
  assert.is(toShown(`${paint.red('\x1b[1mx\t')}\n\u202ey\r`), '\x1b[31m·[1mx \x1b[39m\n·y·')
  assert.is(toShown(paint.bold(paint.red('x'))), '\x1b[1m\x1b[31mx\x1b[39m\x1b[22m')
  assert.is(toShown(createInk(true).paint.red('x')).includes('\x1b'), false, 'nobody else has the marks')
  const plain = createInk(false)
  assert.is(plain.toShown(plain.paint.red('x\x1b')), 'x·')
})

test('The JSON output of commands has no such character either, and the same values', async () => {
  const label = 'a\u202eb\u2028\u200dc'
  const repository = createRepository({
    [`menus/${BAD}`]: `version: 1\ncode: a\nname: ${label}\nitems:\n  - { label: ${label}, url: /${label} }\n`,
    'menus/b.yaml': menuText('b'),
  })
  const text = `version: 1\ncode: b\nname: ${label}\nitems:\n  - { label: ${label}, url: / }\n`
  repository.commit(label, { 'menus/b.yaml': text }, { author: `${label} <a@example.org>` })
  try {
    for (const args of [
      ['lint', '--format', 'json'],
      ['lint', '--format', 'gitlab'],
      ['lint', '--format', 'sarif'],
      ['explain', 'b', '--json'],
      ['show', 'b', '--json'],
      ['log', 'b', '--json'],
      ['blame', 'b', '--json'],
      ['diff', 'HEAD~1..HEAD', '--code', 'b', '--json'],
    ]) {
      const { stdout } = await menuscript(args, { cwd: repository.dir })
      assert.not.match(stdout.replaceAll('\n', ''), /[\p{Cc}\p{Cf}\u2028]/u, args.join(' '))
      const told = JSON.stringify(JSON.parse(stdout))
      if (args.includes('b')) assert.ok(told.includes(label), args.join(' '))
    }
  } finally {
    repository.close()
  }
})

test('A terminal gets a file without control characters; any other output gets every byte', () => {
  const bytes = Buffer.from('a: \x1b[31m\u202eé\u009b2J\r\nb: "\x07"\n')
  const written = (isTTY: boolean): string => {
    const stream = Object.assign(new PassThrough(), { isTTY }) as unknown as NodeJS.WriteStream
    createTerminal(stream, process.stderr).write(bytes)
    return String(stream.read())
  }
  assert.is(written(true), 'a: ·[31m·é·2J\nb: "·"\n')
  assert.is(written(false), bytes.toString())
})

test('A log in JSON has no such character and exactly the same values', () => {
  const lines: string[] = []
  const terminal = {
    ...createTerminal(process.stdout, process.stderr),
    err: (line: string) => lines.push(line),
  }
  const path = `${BAD}\u{e0041}\u0085`
  createLogLines(terminal, { level: 'info', json: true, now: () => new Date(0) }).info('seen', { path })
  assert.is(isObeyed(lines.join()), false)
  assert.is((JSON.parse(lines.join()) as { path: string }).path, path)
})

test.run()
