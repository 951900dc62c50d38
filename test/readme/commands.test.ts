import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createMenusFolder } from '../support/menus-folder.js'
import { runProcess } from '../support/process.js'
import { inRepository } from '../support/repository.js'
import { plain } from './markdown.js'
import { CLI, rowsUnder, takeBlocks, testCoverage } from './readme.js'
import { runMenuscript, runShell } from './shell.js'
import { misspell, takeWalk } from './walk.js'

test('Every command and option of the help has a row, and no other; the exit codes are true', async () => {
  const help = async (...args: string[]) => (await runProcess('node', [CLI, ...args, '--help'])).stdout
  const [, table = ''] = (await help()).split('\nCommands:\n')
  const listed = [...table.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name = '']) => name)
  const rowsOfCommands = rowsUnder('command', 'what it does').map(([cell]) => plain(cell).split(' ').slice(1))
  const commands = (
    await Promise.all(
      listed.map(async (name) => {
        const [, inner] = (await help(name)).split('\nCommands:\n')
        const names = [...(inner ?? '').matchAll(/^ {2}([a-z-]+) /gm)].map(([, each = '']) => each)
        return inner === undefined
          ? [name]
          : names.filter((each) => each !== 'help').map((each) => `${name} ${each}`)
      }),
    )
  )
    .flat()
    .filter((name) => name !== 'help')
  const helps = new Map(
    await Promise.all(commands.map(async (name) => [name, await help(...name.split(' '))] as const)),
  )
  const documented = rowsOfCommands.map(([name = '', inner = '']) =>
    commands.includes(`${name} ${inner}`) ? `${name} ${inner}` : name,
  )
  assert.equal(documented, [...commands, 'help'])
  const rows = rowsUnder('option', 'of', 'meaning')
  const of = (name: string) => rows.filter(([, of]) => plain(of).split(', ').includes(name) || of === 'all')
  for (const [name, text] of helps) {
    const options = [...text.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, option]) => option)
    const known = of(name).map(([cell]) => plain(cell).split(' ')[0])
    assert.equal(known.filter((option) => option !== '--version').sort(), options.sort(), name)
  }
  const folder = createMenusFolder({ 'menus/a.yaml': 'version: 2\n' })
  const codes: Record<string, string> = {
    '--version': '0',
    lint: '1',
    'lint nowhere': '2',
    'serve --strict': '3',
  }
  for (const [args, code] of Object.entries(codes)) {
    assert.is(String((await runMenuscript(`menuscript ${args}`, folder.dir)).code), code, args)
  }
  assert.equal(
    rowsUnder('exit code', 'meaning').map(([code]) => code),
    [...Object.values(codes), '70'],
  )
  folder.close()
})

test('The menus of the first example are listed as shown', async () => {
  const [ask = '', shown] = takeBlocks('List the menus', ['sh', 'text'])
  const folder = createMenusFolder()
  const { make, vary } = takeWalk()
  await runShell(make, folder.dir)
  await runShell(vary, folder.dir)
  misspell(folder)
  assert.is((await runMenuscript(ask, folder.dir)).stdout, shown)
  folder.close()
})

test('The texts of the example are exported as shown, and come back translated', async () => {
  const [menu = '', exporting = '', shown, importing = ''] = takeBlocks('Translate menus', [
    ...['yaml', 'sh', 'csv', 'sh'],
  ])
  const folder = createMenusFolder({
    'menus/shop.yaml': menu,
    'menuscript.config.yaml': 'locales: [en, es]\n',
  })
  assert.is((await runMenuscript(exporting, folder.dir)).stderr, '')
  const file = join(folder.dir, 'texts.csv')
  const csv = readFileSync(file, 'utf8')
  assert.is(csv.replace('\ufeff', '').replaceAll('\r\n', '\n'), shown)
  writeFileSync(file, csv.replace('Contact,Contact,', 'Contact,Contact,Contacto'))
  const { stdout, code } = await runMenuscript(importing, folder.dir)
  assert.is(code, 0)
  assert.match(stdout, /^\+.*es: Contacto/m)
  folder.close()
})

test('init prints what the page shows', () =>
  inRepository({}, async ({ dir, git }) => {
    // A machine may have turned hooks off for all repositories.
    git('config', 'core.hooksPath', '.git/hooks')
    const [command = '', documented] = takeBlocks('Set up a project', ['sh', 'text'])
    assert.is((await runMenuscript(command, dir)).stdout, documented)
  }))

test('The command prints the explanation of the example', async () => {
  const [command = '', documented] = takeBlocks('Explain a response', ['sh', 'text'])
  const languages = ['yaml', 'js', 'yaml', 'sh', 'json', 'sh', 'json']
  const [, , office = ''] = takeBlocks('Identify the viewer', languages)
  const folder = createMenusFolder({
    'menus/office.yaml': office,
    'menuscript.config.yaml': 'locales: [en, es]\n',
  })
  const { stdout, stderr } = await runMenuscript(command, folder.dir)
  assert.equal([stdout, stderr], [documented, ''])
  folder.close()
})

testCoverage(test, 'docs/commands.md')

test.run()
