import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { get } from '../support/http.js'
import { createMenusFolder, type MenusFolder } from '../support/menus-folder.js'
import { runProcess } from '../support/process.js'
import { menuText, startMenuscript } from './command.js'
import type { Files } from './project.js'

// What `serve` says where there is no menu yet, and a menu file lies beside the menus folder. That it says how to make
// a first one, in words that work, is in serve.test.ts.

const MAKE_ONE = 'Create the first one'

interface Greeted extends MenusFolder {
  /** All that was said on stdout when it began to listen. */
  readonly said: string
  /** Runs a command in the folder, and gives its exit code. */
  readonly shell: (command: string) => Promise<number | null>
  /** Waits until what is served for a code has a text; by default the code itself. */
  readonly untilServed: (code: string, text?: string) => Promise<void>
}

/** Starts `serve` in a folder with these files, after `prepare`, and ends it behind the test. */
async function greeted(
  files: Files,
  test: (greeted: Greeted) => Promise<void> | void,
  prepare: (folder: MenusFolder) => void = () => {},
): Promise<void> {
  const folder = createMenusFolder(files)
  prepare(folder)
  const server = startMenuscript(['serve', '--port', '0'], { cwd: folder.dir })
  try {
    const [, url = ''] = await server.waitFor(/^listening on (\S+)$/m)
    const shell = async (command: string) =>
      (await runProcess('sh', ['-c', command], { cwd: folder.dir })).code
    const untilServed = async (code: string, text: string = code) => {
      const answer = async () => assert.match((await get(`${url}/api/menu/${code}`)).text, `"${text}"`)
      await eventually(answer, { every: 50 })
    }
    await test({ ...folder, said: server.stdout(), shell, untilServed })
  } finally {
    // Not by SIGTERM: one that hangs would take its time.
    server.send('SIGKILL')
    await server.ended
    folder.close()
  }
}

/** The command that moves what lies beside the menus folder; empty where none is printed. */
function moveOf(said: string): string {
  return /^mkdir -p .* && mv .*$/m.exec(said)?.[0] ?? ''
}

test('A menu file beside the menus folder is named, with a command that moves it there, and it is served', async () => {
  await greeted({ 'main.yaml': menuText('main') }, async ({ said, dir, shell, untilServed }) => {
    assert.match(said, /main\.yaml/)
    assert.not.match(said, MAKE_ONE)
    assert.is(await shell(moveOf(said)), 0)
    assert.not.ok(existsSync(join(dir, 'main.yaml')))
    await untilServed('main')
  })
})

test('Several are moved at once, with any names', async () => {
  const names = ["it's mine.yaml", '$(touch x).yml', 'ä "b".yaml', '`id`;.yaml']
  const files = names.map((name, place) => [name, menuText(`m${place}`)] as const)
  const config = `storage: { connections: { default: "my menus/it's" } }`
  await greeted(
    { ...Object.fromEntries(files), 'menuscript.config.yaml': config },
    async ({ said, dir, shell, untilServed }) => {
      assert.is(await shell(moveOf(said)), 0)
      assert.not.ok(existsSync(join(dir, 'x')))
      for (const place of names.keys()) await untilServed(`m${place}`)
    },
  )
})

test('A name that begins with a hyphen is moved, and is not an option of the command', async () => {
  await greeted({ '-menu.yaml': menuText('main') }, async ({ said, shell, untilServed }) => {
    assert.is(await shell(moveOf(said)), 0)
    await untilServed('main')
  })
})

test('The menus folder may be there and empty', async () => {
  const prepare = ({ dir }: MenusFolder) => mkdirSync(join(dir, 'menus'))
  const files = { 'main.yml': menuText('main') }
  await greeted(
    files,
    async ({ said, shell, untilServed }) => {
      assert.is(await shell(moveOf(said)), 0)
      await untilServed('main')
    },
    prepare,
  )
})

test('With storage.file_prefix, every offered move leads to a served menu', async () => {
  const files = {
    'main.yaml': menuText('main'),
    'menuscript.config.yaml': 'storage: { file_prefix: shop_ }\n',
  }
  await greeted(files, async ({ said, shell, untilServed }) => {
    const move = moveOf(said)
    if (move === '') return assert.match(said, MAKE_ONE)
    assert.is(await shell(move), 0)
    await untilServed('main')
  })
})

/** Files that are a bit like a menu. */
const NEARLY: Files = {
  'only-code.yaml': 'code: main\nname: Main\n',
  'only-items.yaml': 'version: 1\nitems:\n  - label: Home\n',
  'nested.yaml': 'menu:\n  code: main\n  items: []\n',
  'commented.yaml': '# code: main\n# items:\n',
  'in-a-list.yaml': '- code: main\n- items: []\n',
  'text.txt': menuText('main'),
  'no-ending': menuText('main'),
  'menu.json': JSON.stringify({ version: 1, code: 'main', name: 'Main', items: [] }),
  '.hidden.yaml': menuText('main'),
  'sub/main.yaml': menuText('main'),
  'too-large.yaml': `${menuText('main')}${'#\n'.repeat(1_100_000)}`,
  'docker-compose.yaml': 'services:\n  web:\n    image: x\n',
  'menuscript.config.yaml': 'locales: [en]\n',
}

test('Files that hardly resemble menus are not named: the advice explains how to make a first menu', async () => {
  await greeted(NEARLY, ({ said }) => {
    assert.match(said, MAKE_ONE)
    assert.is(moveOf(said), '')
    const named = said.replace(/cat > .*/, '')
    for (const name of Object.keys(NEARLY)) assert.not.match(named, name)
  })
})

/** What may have the name of a menu file and is none. */
const ODD: Readonly<Record<string, (path: string) => void>> = {
  'a folder': (path) => mkdirSync(path),
  'a link that leads nowhere': (path) => symlinkSync('nowhere', path),
  'a pipe': (path) => void spawnSync('mkfifo', [path]),
}

for (const [kind, make] of Object.entries(ODD)) {
  test(`${kind} with the name of a menu prevents serve neither from starting nor from naming the real one`, async () => {
    const test = ({ said }: Greeted) => assert.match(moveOf(said), 'main.yaml')
    await greeted({ 'main.yaml': menuText('main') }, test, ({ dir }) => make(join(dir, 'a.yaml')))
  })
}

test('Where the menus folder is the current one, a menu in it is served and no move is advised', async () => {
  const state = createMenusFolder({})
  const options = { storage: { connections: { default: '.' } }, state: { dir: state.dir } }
  const config = JSON.stringify(options)
  try {
    await greeted(
      { 'main.yaml': menuText('main'), 'x.yaml': config, 'menuscript.config.yaml': config },
      async (all) => {
        assert.is(moveOf(all.said), '')
        assert.not.match(all.said, MAKE_ONE)
        await all.untilServed('main')
      },
    )
  } finally {
    state.close()
  }
})

test('If menus exist, there is no advice about first menus or about files next to them', async () => {
  const files = { 'menus/main.yaml': menuText('main'), 'other.yaml': menuText('other') }
  await greeted(files, ({ said }) => {
    assert.not.match(said, MAKE_ONE)
    assert.not.match(said, 'other.yaml')
    assert.is(moveOf(said), '')
  })
})

test('A control character in the name of such a file does not reach the terminal', async () => {
  await greeted({ 'a\u001b[2J\u009b31m.yaml': menuText('main') }, ({ said }) => {
    assert.not.match(said.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u)
  })
})

test('new makes the first menu, and serve then serves it as announced', async () => {
  await greeted({}, async ({ said, dir, untilServed }) => {
    const [, command = ''] = /: menuscript (new \w+)$/m.exec(said) ?? []
    assert.is(command, 'new main')
    const made = startMenuscript(command.split(' '), { cwd: dir })
    assert.equal(await made.ended, { code: 0, signal: null })
    await untilServed('main', 'Home')
  })
})

test.run()
