import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createRepository } from '../support/repository.js'
import { takeBlocks, testCoverage } from './readme.js'
import { runMenuscript } from './shell.js'

const ANA = 'Ana Núñez <ana@example.org>'
const BO = 'Bo Larsen <bo@example.org>'

const FIRST = `version: 1
code: main
name: Main menu
items:
  - label: { en: Products, es: Productos }
    url: /products
  - label: { en: Help, es: Ayuda }
    url: /help
`
const SECOND = FIRST.replace('Ayuda', 'Asistencia')
const THIRD = `${SECOND.split('  - label: { en: Help')[0]}  - type: section
    label: { en: Service, es: Servicio }
    children:
      - label: { en: Help, es: Asistencia }
        url: /help
      - label: { en: Returns, es: Devoluciones }
        url: /returns
`

test('The commands print the history of the page', async () => {
  const [log = '', commits, blame = '', items, past = ''] = takeBlocks('History', [
    'sh',
    'text',
    'sh',
    'text',
    'sh',
  ])
  const repository = createRepository()
  const commit = (subject: string, text: string, author: string, date: string): void =>
    void repository.commit(subject, { 'menus/main.yaml': text }, { author, date })
  commit('The first menu', FIRST, ANA, '2026-09-01T10:00:00+02:00')
  commit('Better Spanish', SECOND, BO, '2026-10-12T17:30:00+02:00')
  commit('A section for service', THIRD, ANA, '2026-11-02T09:15:00+01:00')
  const run = async (line: string): Promise<string> => {
    const { code, stdout, stderr } = await runMenuscript(line, repository.dir)
    assert.equal([code, stderr], [0, ''], line)
    return stdout
  }
  assert.is(await run(log), commits)
  assert.is(await run(blame), items)
  const [show = '', explain = '', ...others] = past.trim().split('\n')
  assert.equal(others, [])
  assert.is(await run(show), SECOND)
  assert.match(await run(explain), 'HEAD~1:menus/main.yaml:2')
  repository.close()
})

testCoverage(test, 'docs/history.md')

test.run()
