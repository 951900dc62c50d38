import { randomBytes } from 'node:crypto'
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { menuOf } from '../support/menu-lines.js'
import { inRepository, type TestRepository } from '../support/repository.js'
import { menuscript } from './command.js'

/** A menu whose text git cannot make smaller, so that its content is no difference to another one. */
const NOISE = menuOf([`${randomBytes(400).toString('hex')} /noise`], 'code: noise')
const FILES = { 'menus/main.yaml': menuOf(['A /a']), 'menus/noise.yaml': NOISE }

/** Packs a repository and breaks one content in the pack; git notices when it reads it. */
function breakPacked({ dir, git }: TestRepository, blob: string): void {
  git('gc', '--quiet', '--prune=now')
  const folder = join(dir, '.git/objects/pack')
  const pack = join(folder, readdirSync(folder).find((name) => name.endsWith('.pack')) ?? '')
  const line = git('verify-pack', '--verbose', pack.replace(/pack$/, 'idx'))
    .split('\n')
    .find((each) => each.startsWith(blob))
  const [, , size = '', packed = '', offset = ''] = line?.split(/\s+/) ?? []
  assert.ok(Number(size) > 500, line)
  const bytes = readFileSync(pack)
  bytes.fill(0xff, Number(offset) + Math.floor(Number(packed) / 2), Number(offset) + Number(packed))
  chmodSync(pack, 0o644)
  writeFileSync(pack, bytes)
  assert.throws(() => git('cat-file', 'blob', blob))
}

test('A content that is the same in both revisions is not read: one that is broken is not noticed', () =>
  inRepository(FILES, async (repository) => {
    const { dir, git, commit, write } = repository
    commit('Edit', { 'menus/main.yaml': menuOf(['B /a']) })
    breakPacked(repository, git('rev-parse', 'HEAD:menus/noise.yaml'))
    const run = (...args: readonly string[]) => menuscript(['diff', ...args], { cwd: dir })
    for (const range of ['HEAD~1..HEAD', 'HEAD~1']) {
      const { code, stdout, stderr } = await run(range)
      assert.equal([code, stderr], [0, ''], range)
      assert.match(stdout, /^menus: 1 changed, 1 unchanged$/m)
      assert.match(stdout, 'label: A → B')
    }
    // What could claim the same as a menu that came has to be looked for: not to know is no answer.
    write('menus/new.yaml', menuOf(['X /x'], 'code: new'))
    assert.is((await run()).code, 0, 'in the work tree it can be read')
    commit('New')
    const refused = await run('HEAD~1..HEAD')
    assert.equal([refused.code, refused.stdout], [3, ''])
    assert.match(refused.stderr, /^error: the menus cannot be read: git cat-file failed/)
  }))

test('Only the contents that differ are requested', () =>
  inRepository(FILES, async ({ dir, git, commit }) => {
    commit('Edit', { 'menus/main.yaml': menuOf(['B /a']) })
    const trace = join(dir, '.git/trace')
    const env = { GIT_TRACE_PACK_ACCESS: join(dir, '.git/access'), GIT_TRACE: trace }
    git('gc', '--quiet')
    const { code } = await menuscript(['diff', 'HEAD~1..HEAD'], { cwd: dir, env })
    assert.is(code, 0)
    const calls = readFileSync(trace, 'utf8').match(/built-in: git (cat-file --batch|grep|show).*/g) ?? []
    assert.equal(
      calls,
      Array(2).fill(['built-in: git cat-file --batch-check', 'built-in: git cat-file --batch']).flat(),
    )
  }))

/** What `diff` prints of a commit that adds a file to these. */
async function addTo(
  files: Readonly<Record<string, string>>,
  added: Readonly<Record<string, string>>,
): Promise<string> {
  let found = ''
  await inRepository(files, async ({ dir, commit, write }) => {
    for (const [path, text] of Object.entries(added)) write(path, text)
    const { stdout } = await menuscript(['diff', '--fail-on', 'widened'], { cwd: dir })
    commit('Add')
    const outcome = await menuscript(['diff', 'HEAD~1..HEAD', '--fail-on', 'widened'], { cwd: dir })
    const body = (text: string): string => text.slice(text.indexOf('\n'))
    assert.is(body(outcome.stdout), body(stdout), 'a commit is told as the work tree is')
    found = `${outcome.code} ${outcome.stdout}`
  })
  return found
}

test('A new file that takes the place of one that is the same is held against it, however that spells its code', async () => {
  const guarded = menuOf(['Pay /pay']).replace('url: /pay', 'url: /pay\n    permissions: [k]')
  const other = { 'menus/other.yaml': menuOf(['X /x'], 'code: other') }
  for (const spelt of ['code: main', 'code: "m\\u0061in"', '"code": main']) {
    const text = guarded.replace('code: main', spelt)
    const told = await addTo({ 'menus/main.yaml': text, ...other }, { 'menus/a.yaml': menuOf(['Pay /pay']) })
    assert.match(told, /^1 /, spelt)
    assert.match(told, /seen by more viewers: 1 item\n {2}main {2}Pay: viewers with k → everybody/)
    assert.match(told, 'duplicate-menu')
  }
})

test('A renamed file that gives way to one that is the same is held against it, and so is one that now comes first', async () => {
  const open = menuOf(['Pay /pay'])
  const guarded = open.replace('url: /pay', 'url: /pay\n    permissions: [k]')
  const files = { 'menus/b.yaml': guarded, 'menus/c.yaml': open, 'menus/noise.yaml': NOISE }
  for (const [from, to] of [
    ['b.yaml', 'd.yaml'],
    ['c.yaml', 'a.yaml'],
  ])
    await inRepository(files, async ({ dir, git, commit }) => {
      const judge = (...range: readonly string[]) =>
        menuscript(['diff', ...range, '--fail-on', 'widened'], { cwd: dir })
      git('mv', `menus/${from}`, `menus/${to}`)
      const inWork = await judge()
      commit('Rename')
      for (const { code, stdout } of [inWork, await judge('HEAD~1..HEAD')]) {
        assert.is(code, 1, to)
        assert.match(stdout, /seen by more viewers: 1 item\n {2}main {2}Pay: viewers with k → everybody/)
      }
    })
})

test('A new path that differs from one that is the same only in case is a new problem', async () => {
  const told = await addTo(FILES, { 'menus/MAIN.yaml': menuOf(['X /x'], 'code: other') })
  assert.match(told, 'path-clash')
})

test('--code counts the variants that did not change', () =>
  inRepository(
    { ...FILES, 'menus/p.yaml': menuOf(['A /a'], 'code: main\ncontext: { p: 1 }') },
    async ({ dir, write }) => {
      write('menus/main.yaml', menuOf(['B /a']))
      const { stdout } = await menuscript(['diff', '--code', 'main'], { cwd: dir })
      assert.match(stdout, /^menus: 1 changed, 1 unchanged$/m)
    },
  ))

test('Line ends that git converts are not a difference', () =>
  inRepository({ '.gitattributes': '* text eol=crlf\n', ...FILES }, async ({ dir, write }) => {
    write('menus/main.yaml', menuOf(['A /a']).replaceAll('\n', '\r\n'))
    const { code, stdout } = await menuscript(['diff', '--fail-on', 'changes'], { cwd: dir })
    assert.is(code, 0)
    assert.match(stdout, 'menus: nothing changed, 2 unchanged')
  }))

test.run()
