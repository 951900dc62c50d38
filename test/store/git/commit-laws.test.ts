import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { runProcess } from '../../support/process.js'
import { programOf } from '../../support/programs.js'
import { inRepository, type TestRepository } from '../../support/repository.js'
import { idOf, pathsOf, publish, statusOf } from './committing.js'

const PATHS = ['menus/a.yaml', 'menus/b.yaml', 'c d.txt', 'x/y/z.yaml']

/** What somebody does to a file by hand. */
const STEPS = [
  'write',
  'add',
  'remove',
  'remove from the index',
  'restore',
  'rename',
  'intend',
  'executable',
] as const
type Step = readonly [step: (typeof STEPS)[number], path: string, text: string]

/** Git refuses some of them, such as to add what is not there. */
function doStep({ git, write, remove }: TestRepository, [step, path, text]: Step): void {
  const attempt = (...args: string[]): void => {
    try {
      git(...args)
    } catch {}
  }
  if (step === 'write') write(path, text)
  if (step === 'remove') remove(path)
  if (step === 'add') attempt('add', '--all', path)
  if (step === 'intend') attempt('add', '--intent-to-add', path)
  if (step === 'remove from the index') attempt('rm', '--quiet', '--cached', '--force', path)
  if (step === 'restore') attempt('checkout', 'HEAD', path)
  if (step === 'rename') attempt('mv', '--force', path, `${path}.moved`)
  if (step === 'executable') attempt('update-index', '--chmod=+x', path)
}

const steps = fc.array(
  fc.tuple(fc.constantFrom(...STEPS), fc.constantFrom(...PATHS), fc.constantFrom('1\n', '2\n', '3\n')),
  { maxLength: 10 },
)

test('After a commit of one file every other is in the state it was in, whatever was done by hand', async () => {
  const texts = fc.constantFrom('1\n', '2\n', 'new\n', null)
  const law = fc.asyncProperty(steps, fc.constantFrom(...PATHS), texts, async (done, path, text) => {
    await inRepository(
      { 'menus/a.yaml': '1\n', 'c d.txt': '1\n', 'x/y/z.yaml': '1\n' },
      async (repository) => {
        for (const step of done) doStep(repository, step)
        const others = (states: readonly string[]): string[] =>
          states.filter((each) => each.slice(3) !== path)
        const [before, head] = [statusOf(repository), repository.git('rev-parse', 'HEAD')]
        const outcome = await publish(repository, { [path]: text })
        assert.equal(others(statusOf(repository)), others(before))
        const id = outcome.kind === 'unchanged' ? head : idOf(outcome)
        assert.is(repository.git('rev-parse', 'HEAD'), id)
        if (id !== head)
          assert.equal([pathsOf(repository, id), repository.git('rev-parse', `${id}^`)], [[path], head])
        const isThere = repository.git('ls-tree', '--name-only', 'HEAD', '--', path) !== ''
        assert.is(isThere ? repository.git('show', `HEAD:${path}`) : null, text?.trimEnd() ?? null)
        const own = statusOf(repository).filter((state) => !others([state]).includes(state))
        assert.equal(own, [])
      },
    )
  })
  await fc.assert(law, { numRuns: 25 })
})

test('Two processes that commit different files at once lose nothing', async () => {
  await inRepository({ 'menus/a.yaml': 'a\n', 'menus/b.yaml': 'b\n' }, async (repository) => {
    const run = (path: string): ReturnType<typeof runProcess> =>
      runProcess('node', [...programOf('store/git/commit-often.program.ts'), path, '8'], {
        cwd: repository.dir,
      })
    const outcomes = await Promise.all([run('menus/a.yaml'), run('menus/b.yaml')])
    for (const { code, stdout, stderr } of outcomes)
      assert.equal([code, stdout, stderr], [0, 'committed\n'.repeat(8), ''])
    assert.is(repository.git('rev-list', '--count', 'HEAD'), '17')
    assert.equal(statusOf(repository), [])
    for (const path of ['menus/a.yaml', 'menus/b.yaml']) {
      const log = repository.git('log', '--format=%an %s', '--', path).split('\n').slice(0, -1)
      assert.equal(
        log,
        [8, 7, 6, 5, 4, 3, 2, 1].map((number) => `${path} ${path} ${number}`),
      )
    }
    repository.git('fsck', '--strict', '--no-dangling')
  })
})

test('Killed at any moment, the repository is whole, and the next commit works', async () => {
  await inRepository({ 'menus/a.yaml': 'a\n', 'menus/b.yaml': 'b\n' }, async (repository) => {
    const { dir, git, write } = repository
    // What is killed leaves its temporary folder behind.
    write('.git/tmp/x', '')
    const env = { ...process.env, TMPDIR: join(dir, '.git/tmp') }
    const first = git('rev-parse', 'HEAD')
    for (let turn = 0; turn < 6; turn++) {
      const words = [...programOf('store/git/commit-often.program.ts'), 'menus/a.yaml', '1000']
      const child = spawn(process.execPath, words, { cwd: dir, env, stdio: ['ignore', 'pipe', 'inherit'] })
      await new Promise((begun) => child.stdout.once('data', begun))
      await sleep(Math.random() * 120)
      child.kill('SIGKILL')
      await new Promise((ended) => child.once('close', ended))
      git('fsck', '--strict', '--no-dangling')
      const id = idOf(await publish(repository, { 'menus/b.yaml': `${turn}\n` }))
      assert.equal(pathsOf(repository, id), ['menus/b.yaml'])
      const own = statusOf(repository)
      assert.ok(
        own.every((state) => /^(?:M | M|MM) menus\/a\.yaml$/.test(state)),
        own.join(),
      )
      // What is staged is never older than what was committed: nobody commits the way back.
      const numberIn = (text: string): number => Number(text.split(' ').at(-1))
      const staged = numberIn(git('show', ':menus/a.yaml'))
      assert.ok(staged >= numberIn(git('show', 'HEAD:menus/a.yaml')), 'an older text is staged')
      const text = `menus/a.yaml ${turn}00000\n`
      idOf(await publish(repository, { 'menus/a.yaml': text }))
      assert.equal(statusOf(repository), [])
      assert.is(readFileSync(join(dir, 'menus/a.yaml'), 'utf8'), text)
      git('checkout', '--quiet', '-B', 'main', first)
    }
  })
})

test.run()
