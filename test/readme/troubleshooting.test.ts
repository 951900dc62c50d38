import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createMenusFolder } from '../support/menus-folder.js'
import { rowsUnder, takeBlocks, testCoverage } from './readme.js'
import { runMenuscript } from './shell.js'

const TITLE = 'Troubleshooting: the menu is empty'
const [first = '', menu = ''] = takeBlocks(TITLE, ['sh', 'yaml'])
const withoutMenu = takeBlocks('Context without a variant', ['sh', 'text', 'sh', 'text'])
const examples = [
  takeBlocks('Unknown code', ['sh', 'text']),
  withoutMenu.slice(0, 2),
  withoutMenu.slice(2),
  takeBlocks('Items that are not shown', ['sh', 'text']),
]
const broken = takeBlocks('File with an error', ['sh', 'text'])

function createExample(text: string): ReturnType<typeof createMenusFolder> {
  return createMenusFolder({ 'menuscript.config.yaml': 'locales: [en, es]\n', 'menus/main.yaml': text })
}

test('Each command prints the explanation of the page', async () => {
  const folder = createExample(menu)
  for (const [command = '', printed] of examples)
    assert.is((await runMenuscript(command, folder.dir)).stdout, printed, command)
  assert.is((await runMenuscript(first, folder.dir)).code, 0)
  folder.close()
})

test('A file with an error is withheld, as the page shows', async () => {
  const folder = createExample(menu.replace('label', 'lable'))
  const [command = '', printed] = broken
  assert.is((await runMenuscript(command, folder.dir)).stdout, printed)
  folder.close()
})

test('Each phrase of the table is in an explanation', () => {
  const printed = [...examples, broken].map(([, text]) => text).join('')
  const phrases = rowsUnder('what `explain` prints', 'cause', 'section').flatMap(([cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, phrase = '']) => phrase),
  )
  const unseen = phrases.filter((phrase) => !printed.includes(phrase))
  assert.equal(unseen, ['shown'])
})

testCoverage(test, 'docs/troubleshooting.md')

test.run()
