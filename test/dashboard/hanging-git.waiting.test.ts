import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { managing, renamed, textOf, versionOf } from './managing.js'

test('E16: A publish is answered, and says that it is uncommitted, where git never ends', async () => {
  const prepare = (dir: string) => {
    execFileSync('git', ['init', '-q', dir])
    rmSync(join(dir, '.git/index'), { force: true })
    execFileSync('mkfifo', [join(dir, '.git/index')])
  }
  await managing(
    async (script, site) => {
      const version = await versionOf(script)
      const answer = await script('PATCH', '/menu?file=main.yaml', { body: renamed('Changed'), version })
      assert.is(answer.status, 200, answer.text)
      const { commit } = answer.json() as { commit: { kind: string; reason: string } }
      assert.is(commit.kind, 'uncommitted')
      assert.match(commit.reason, 'it took longer than 20 seconds')
      assert.match(textOf(site), 'name: Changed')
    },
    { prepare },
  )
})

test.run()
