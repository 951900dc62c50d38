import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { menuscript } from './command.js'

const MEANT: Readonly<Record<string, string>> = {
  create: 'new',
  add: 'new',
  start: 'serve',
  dev: 'serve',
  check: 'lint',
  validate: 'lint',
  ls: 'list',
  why: 'explain',
  history: 'log',
  srve: 'serve',
  LINT: 'lint',
}

test('An unknown command is a usage error with a suggestion', async () => {
  for (const [word, meant] of Object.entries(MEANT)) {
    for (const words of [[word], ['help', word]]) {
      const { code, stdout, stderr } = await menuscript(words)
      assert.equal([code, stdout], [2, ''], words.join(' '))
      assert.match(stderr, `error: unknown command '${word}'\n(Did you mean ${meant}?)\n`)
    }
  }
})

test('A word without a similar command gets no suggestion, and help of a command is its help', async () => {
  for (const words of [['nosuch'], ['help', 'nosuch'], ['help', 'git', 'nosuch'], ['git', 'nosuch']]) {
    const { code, stderr } = await menuscript(words)
    assert.equal(
      [code, stderr],
      [2, "error: unknown command 'nosuch'\n(--help lists commands and options)\n"],
      words.join(' '),
    )
  }
  for (const [words, flagged] of [
    [['help'], ['--help']],
    [
      ['help', 'lint'],
      ['lint', '--help'],
    ],
    [
      ['help', 'git', 'setup'],
      ['git', 'setup', '--help'],
    ],
  ] as const) {
    assert.equal(await menuscript(words), await menuscript(flagged), words.join(' '))
  }
})

test.run()
