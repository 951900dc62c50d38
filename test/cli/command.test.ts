import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import packageJson from '../../package.json' with { type: 'json' }
import { CLI } from '../readme/readme.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { runProcess } from '../support/process.js'
import { menuscript, menuscriptOn, menuscriptProcess, menuText, PROGRAM } from './command.js'
import { inProject, STACK } from './project.js'

/** The options that the README gives each command, `--config` and `--help` aside. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  serve: ['--menus', '--host', '--port', '--strict', '--static', '--json'],
  build: ['--menus', '--out', '--html', '--check', '--json'],
  lint: ['--menus', '--changed', '--dry-run', '--fix', '--format', '--json', '--max-warnings'],
  list: ['--menus', '--json'],
  explain: [
    '--menus',
    '--locale',
    '--context-sets',
    '--permissions',
    '--header',
    '--url',
    '--params',
    '--at',
    '--json',
    '--now',
  ],
  diff: ['--menus', '--format', '--json', '--code', '--locale', '--permissions', '--output', '--fail-on'],
  log: ['--menus', '--limit', '--since', '--at', '--context', '--file', '--json'],
  blame: ['--menus', '--fields', '--at', '--context', '--file', '--json'],
  show: ['--menus', '--at', '--context', '--file', '--json'],
  'merge-driver': ['--ancestor', '--marker-size'],
  'git setup': ['--menus', '--remove', '--check', '--json'],
  new: ['--menus', '--name', '--context', '--empty', '--file', '--json'],
  'translations export': ['--menus', '--format', '--locale', '--output'],
  'translations import': ['--menus', '--dry-run', '--outdated', '--json'],
  config: ['--menus', '--json'],
}

const ESCAPE = '\u001b['
const BROKEN = { 'menus/a.yaml': 'version: 1\n' }

test('--version is the version of the package', async () => {
  const { code, stdout, stderr } = await menuscriptProcess(['--version'])
  assert.equal([code, stdout, stderr], [0, `${packageJson.version}\n`, ''])
})

test('--help lists the commands and the meaning of the exit codes', async () => {
  const { code, stdout, stderr } = await menuscript(['--help'])
  assert.equal([code, stderr], [0, ''])
  for (const name of Object.keys(COMMANDS))
    assert.match(stdout, new RegExp(`^ {2}${name.split(' ')[0]} `, 'm'))
  assert.match(stdout, /0 success, 1 findings, 2 usage, 3 files or configuration, 70/)
})

for (const [name, options] of Object.entries(COMMANDS)) {
  test(`${name} --help lists every option of ${name} with a word about it`, async () => {
    const { code, stdout, stderr } = await menuscript([...name.split(' '), '--help'])
    assert.equal([code, stderr], [0, ''])
    for (const option of [...options, '--config', '--help']) {
      assert.match(stdout, new RegExp(`^ +(-h, )?${option}( <\\w+>)? {2,}\\S`, 'm'), option)
    }
    const listed = [...stdout.matchAll(/^ +(?:-\w, )?(--[\w-]+)/gm)].map(([, option]) => option)
    assert.equal(listed.sort(), [...options, '--config', '--help'].sort())
  })
}

test('An unknown command or option is a usage error that names the nearest one', async () => {
  const mistakes: Readonly<Record<string, string>> = {
    litn: 'lint',
    'serve --prot 80': '--port',
    'lint --jsn': '--json',
  }
  for (const [line, meant] of Object.entries(mistakes)) {
    const { code, stdout, stderr } = await menuscript(line.split(' '))
    assert.equal([code, stdout], [2, ''], line)
    assert.match(stderr, new RegExp(`Did you mean ${meant}\\?`))
  }
})

test('A value that an option does not take is a usage error', async () => {
  for (const line of [
    'lint --format xml',
    'serve --port many',
    'serve --port 70000',
    'serve --host',
    'config x',
  ]) {
    const { code, stdout, stderr } = await menuscriptOn(BROKEN, line.split(' '))
    assert.equal([code, stdout], [2, ''], line)
    assert.match(stderr, /^error: /)
  }
})

test('Without a command, the help is printed, and it is a usage error', async () => {
  const { code, stdout, stderr } = await menuscriptProcess([])
  assert.equal([code, stdout], [2, ''])
  assert.match(stderr, 'Usage: menuscript')
})

test('Without a terminal there are no colours; FORCE_COLOR asks for them, and NO_COLOR has the last word', async () => {
  const colours = async (env: Readonly<Record<string, string | undefined>>) =>
    (await menuscriptOn(BROKEN, ['lint'], { env })).stdout.includes(ESCAPE)
  assert.is(await colours({ NO_COLOR: undefined }), false)
  assert.is(await colours({ NO_COLOR: undefined, FORCE_COLOR: '1' }), true)
  assert.is(await colours({ NO_COLOR: '1', FORCE_COLOR: '1' }), false)
  assert.is(await colours({ NO_COLOR: '', FORCE_COLOR: '1' }), true)
})

test('Output for machines has no colours', async () => {
  const env = { NO_COLOR: undefined, FORCE_COLOR: '1' }
  for (const form of ['json', 'github', 'sarif']) {
    const { stdout } = await menuscriptOn(BROKEN, ['lint', '--format', form], { env })
    assert.not.match(stdout, ESCAPE)
  }
  assert.not.match((await menuscriptOn({}, ['config', '--json'], { env })).stdout, ESCAPE)
})

test('A reader who has enough (`| head -1`) changes neither the exit code nor stderr', async () => {
  const many = Array.from({ length: 400 }, (_, place) => [`menus/m${place}.yaml`, `version: ${place + 2}\n`])
  const folder = createMenusFolder(Object.fromEntries(many))
  for (const args of ['lint', 'lint --json', 'config']) {
    const command = [process.execPath, ...PROGRAM].map((word) => `'${word}'`).join(' ')
    const line = `{ ${command} ${args}; echo "code $?" >&2; } | head -1`
    const { stdout, stderr } = await runProcess('sh', ['-c', line], { cwd: folder.dir })
    assert.is(stdout.trimEnd().split('\n').length, 1)
    assert.is(stderr, args === 'config' ? 'code 0\n' : 'code 1\n', args)
  }
  folder.close()
})

test('config prints every option with its value and where it came from', async () => {
  const files = { 'menuscript.config.yaml': 'cache:\n  ttl: 7\n', 'menus/main.yaml': menuText('main') }
  const env = { MENUSCRIPT_LOCALES: 'en,es', PORT: '8080' }
  const { code, stdout, stderr } = await menuscriptOn(files, ['config'], { env })
  assert.equal([code, stderr], [0, ''])
  assert.match(stdout, /^cache\.ttl +7 +menuscript\.config\.yaml:2$/m)
  assert.match(stdout, /^locales +\["en","es"\] +MENUSCRIPT_LOCALES$/m)
  assert.match(stdout, /^server\.port +8080 +PORT$/m)
  assert.match(stdout, /^api\.path_prefix +"\/api\/menu" +default$/m)
  assert.match(stdout, /^file +\/.*\/menuscript\.config\.yaml$/m)
  assert.match(stdout, /^menus +\/.*\/menus$/m)
})

test('config --json is one JSON value with the same', async () => {
  const files = { 'menuscript.config.json': '{ "default_locale": "es", "locales": ["en", "es"] }' }
  const { code, stdout, stderr } = await menuscriptOn(files, ['config', '--json'])
  assert.equal([code, stderr], [0, ''])
  const { options, problems } = JSON.parse(stdout) as {
    options: Record<string, unknown>
    problems: unknown[]
  }
  assert.equal(options['default_locale'], { value: 'es', from: 'menuscript.config.json:1' })
  assert.equal(options['cache.ttl'], { value: 60, from: 'default' })
  assert.equal(problems, [])
})

test('config masks secrets, and reports that they are set', async () => {
  const secret = 'correct horse battery staple, twice'
  const env = { MENUSCRIPT_DASHBOARD_SESSION_SECRET: secret }
  for (const args of [['config'], ['config', '--json']]) {
    const { code, stdout, stderr } = await menuscriptOn({}, args, { env })
    assert.is(code, 0)
    assert.not.match(stdout + stderr, secret)
    assert.match(stdout, 'MENUSCRIPT_DASHBOARD_SESSION_SECRET')
  }
  const short = { MENUSCRIPT_DASHBOARD_SESSION_SECRET: 'short-secret' }
  const { code, stdout, stderr } = await menuscriptOn({}, ['config', '--json'], { env: short })
  assert.is(code, 3)
  assert.not.match(stdout + stderr, 'short-secret')
})

test('config of a faulty configuration prints all the same, reports the faults on stderr and ends with 3', async () => {
  const files = { 'menuscript.config.yaml': 'cache:\n  ttl: 7\nlocales: en\n' }
  const { code, stdout, stderr } = await menuscriptOn(files, ['config'])
  assert.is(code, 3)
  assert.match(stdout, /^cache\.ttl +7 +menuscript\.config\.yaml:2$/m)
  assert.match(stderr, 'menuscript.config.yaml:3:10 error wrong-type')
})

/** Configurations that cannot be used, with what is said of them. */
const UNUSABLE: readonly (readonly [files: Readonly<Record<string, string>>, said: RegExp])[] = [
  [
    { 'menuscript.config.yaml': 'locales: [en]\nlocale: en\n' },
    /menuscript\.config\.yaml:2:1 error unknown-key/,
  ],
  [
    { 'menuscript.config.yaml': 'policies: p.mjs', 'p.mjs': "throw new Error('no database')" },
    /p\.mjs.*config-file[\s\S]*no database/,
  ],
]

test('An unusable configuration ends a command with 3 before it judges or writes, and is reported on stderr', async () => {
  const menus = { 'menus/main.yaml': menuText('main'), 'menus/bad.yaml': '' }
  for (const command of ['lint', 'list', 'explain main', 'new side'])
    for (const [files, said] of UNUSABLE)
      await inProject({ ...menus, ...files }, async ({ run, texts }) => {
        const before = texts()
        const { code, stdout, stderr } = await run(...command.split(' '))
        assert.equal([code, stdout], [3, ''], command)
        assert.match(stderr, said)
        assert.not.match(stderr, STACK)
        assert.is((await run(...command.split(' '), '--config', 'gone.yaml')).code, 3)
        assert.equal(texts(), before, command)
      })
})

test('A former name is noted on stderr, and the command goes on', async () => {
  const files = {
    'menuscript.config.yaml': 'doctrine: { table_prefix: a_ }',
    'menus/a_x.yaml': menuText('x'),
  }
  const { code, stdout, stderr } = await menuscriptOn(files, ['lint'])
  assert.is(code, 0)
  assert.match(stdout, '1 file,')
  assert.match(stderr, /^note: .*doctrine\.table_prefix.*storage\.file_prefix/)
})

test('In a folder that was deleted meanwhile, --help and --version still work', async () => {
  // The command as it is built: the loader of the tests cannot start in a folder that is gone.
  const leave = 'cd gone && rmdir ../gone && exec "$0" "$@"'
  for (const flag of ['--help', '--version']) {
    const folder = createMenusFolder()
    mkdirSync(join(folder.dir, 'gone'))
    const args = ['-c', leave, process.execPath, CLI, flag]
    const { code, stdout, stderr } = await runProcess('sh', args, { cwd: folder.dir })
    folder.close()
    assert.equal([code, stderr], [0, ''])
    assert.match(stdout, flag === '--help' ? 'Usage: menuscript' : packageJson.version)
  }
})

test.run()
