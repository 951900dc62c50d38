import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { figure } from '../support/figures.js'
import { test } from '../support/test.js'
import { editorOf } from './forms.js'
import { MENU, openForScript, renamed, textOf, versionOf } from './managing.js'
import { openForOperator } from './visiting.js'

/** Gives a folder a repository in which git waits forever for its index. */
function prepare(dir: string): void {
  execFileSync('git', ['init', '-q', dir])
  rmSync(join(dir, '.git/index'), { force: true })
  execFileSync('mkfifo', [join(dir, '.git/index')])
}

test('E16: Where git never ends, a publish is answered as uncommitted, and other files are published at once', async () => {
  const [script, site] = await openForScript({
    menus: { 'main.yaml': MENU, 'other.yaml': MENU.replace('code: main', 'code: other') },
    prepare,
  })
  let answered = 0
  const publish = async (path: string) => {
    const version = await versionOf(script, path)
    const answer = await script('PATCH', `/menu?file=${path}`, { body: renamed('Changed'), version })
    answered++
    assert.is(answer.status, 200, answer.text)
    return (answer.json() as { commit: { kind: string; reason: string } }).commit
  }
  const published = async (path: string): Promise<void> =>
    eventually(() => assert.match(textOf(site, path), 'name: Changed'))
  const first = publish('main.yaml')
  await published('main.yaml')
  const second = publish('other.yaml')
  await published('other.yaml')
  const { menus } = (await script('GET', '/menus')).json() as { menus: { file: string; name: string }[] }
  assert.is(menus.find(({ file }) => file === 'other.yaml')?.name, 'Changed')
  assert.is(answered, 0)
  const { kind, reason } = await first
  assert.is(kind, 'uncommitted')
  assert.match(reason, 'it took longer than 20 seconds')
  // There is one index, and one lock.
  assert.equal(await second, { kind: 'busy', reason: 'git has not finished earlier commits' })
})

test('E16: where git never ends, a form that publishes is answered, too', async () => {
  const [visitor, site] = await openForOperator({ prepare })
  const { settings, review } = editorOf(visitor)
  await settings({ name: 'Changed' })
  const begun = performance.now()
  const answer = await review('publish')
  assert.is(answer.status, 303, answer.text)
  assert.match(textOf(site), 'name: Changed')
  figure('a form that waits for git: answered', `${Math.round(performance.now() - begun)} ms`, '20,000 ms')
})

test.run()
