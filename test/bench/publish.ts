import { execFileSync } from 'node:child_process'
import { readDocument } from '../../src/document/menu-document.js'
import { judgeDocument } from '../../src/document/parse.js'
import { contentHash } from '../../src/store/hash.js'
import { openSite } from '../http/sites.js'
import { readerOf } from '../store/opening.js'
import { openReport } from './report.js'
import { compareLegs, timeOf } from './rounds.js'

const HELP = `Usage: node --import tsx test/bench/publish.ts [N] [ROUNDS]

Publishes one change of a menu of N items (default: 2000), over HTTP and in a git work tree, ROUNDS times (default: 30), by
PATCH and as a draft. Prints the processor time of the service beside that of reading and judging such a text once.
`
const ADMIN = 'an-admin-token-of-more-than-32-characters'
const API = '/admin/menus/api'

const [first = '2000', rounds = '30'] = process.argv.slice(2)
if (first === '--help') process.stdout.write(HELP)
else await measureAll(Number(first), Number(rounds))

async function measureAll(count: number, rounds: number): Promise<void> {
  const text = menuOf(count)
  const options = { ...readerOf(), hash: contentHash }
  const read = async (): Promise<unknown> =>
    judgeDocument(readDocument('main.yaml', Buffer.from(text), options.limits), options)
  const site = await openSite(
    { 'main.yaml': text },
    { adminToken: ADMIN, hasDashboard: true, config: { locales: ['en', 'es'] }, prepare: commitAll },
  )
  const ask = async (method: string, path: string, body: unknown, version: string) => {
    const headers = {
      ...{ authorization: `Bearer ${ADMIN}`, 'content-type': 'application/json' },
      ...(version !== '' && { 'if-match': version }),
    }
    const answer = await site.ask(`${API}${path}`, { method, headers, body: JSON.stringify(body) })
    if (answer.status >= 300) throw new Error(answer.text)
    return { tag: answer.headers['etag'] ?? '', value: answer.json() as { id: string } }
  }
  let turn = 0
  const change = () => [{ op: 'replace', path: `/items/${turn % count}/label/en`, value: `New ${turn++}` }]
  const { headers } = await site.ask(`${API}/menu?file=main.yaml`, {
    headers: { authorization: `Bearer ${ADMIN}` },
  })
  let version = headers['etag'] ?? ''
  const patch = async (): Promise<void> => {
    version = (await ask('PATCH', '/menu?file=main.yaml', change(), version)).tag
  }
  const publish = async (): Promise<void> => {
    const { value } = await ask('POST', '/drafts?file=main.yaml', {}, '')
    await ask('PATCH', `/drafts/${value.id}`, change(), '')
    await ask('POST', `/drafts/${value.id}/publish`, {}, '')
  }
  const report = openReport('publish', rounds)
  for (const [name, what, work] of [
    ['patch', 'PATCH of the menu', patch],
    ['draft', 'a draft opened, changed and published', publish],
  ] as const) {
    const compared = await compareLegs(
      () => timeOf(work),
      () => timeOf(read),
      rounds,
    )
    report({ name, what, goal: null, unit: 'ms', ...compared })
  }
  await site.close()
}

function commitAll(dir: string): void {
  const author = ['-c', 'user.name=Ana', '-c', 'user.email=ana@example.org']
  for (const args of [
    ['init', '-q'],
    ['add', 'menus'],
    [...author, 'commit', '-qm', 'First'],
  ])
    execFileSync('git', args, { cwd: dir })
}

function menuOf(count: number): string {
  const items = [...Array(count).keys()].map(
    (at) =>
      `  - label: { en: Item ${at}, es: Punto ${at} }\n    url: /item/${at}\n    icon: bootstrap-icons:house\n`,
  )
  return `version: 1\ncode: main\nname: Main\nitems:\n${items.join('')}`
}
