import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bigMenu } from '../hostile/http/built-service.js'
import { eventually } from '../support/eventually.js'
import { freePort } from '../support/free-port.js'
import { get } from '../support/http.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { runProcess, type StartOptions, startProcess } from '../support/process.js'
import { measureDuel } from './http/measure.js'
import { type Server, startOurs } from './http/servers.js'
import { threadTime } from './processor.js'
import { openReport } from './report.js'
import { stayOnOneCore } from './rounds.js'

const HELP = `Usage: node --import tsx test/bench/alternatives.ts [ROUNDS]

Serves one tree of 4 KB, and eleven variants of it, by Menuscript and by what people would use in its place. Prints the
processor time of a request beside plain node:http that writes the same bytes, over ROUNDS rounds (default: 20). Fetches
json-server 0.17.4 from the registry into a temporary folder; nginx is measured where it is installed.
`
const JSON_SERVER = 'json-server@0.17.4'
const NAIVE = join(import.meta.dirname, 'alternatives/naive-server.mjs')
const SETS = encodeURIComponent(JSON.stringify([{ partner: 7 }, null]))
const PARTNERS = 11
const STARTS = 2

const [rounds = '20'] = process.argv.slice(2)
if (rounds === '--help') process.stdout.write(HELP)
else await measureAll(Number(rounds))

/** A server, and the paths of the menu without a context and of the one for a partner. */
interface Alternative {
  readonly name: string
  readonly start: () => Promise<Server>
  readonly plain: string
  readonly variant: string
}

async function measureAll(rounds: number): Promise<void> {
  stayOnOneCore()
  const files = { 'menus/main.yaml': bigMenu('main', 38), ...variants() }
  const service = await startOurs(files)
  const { text } = await get(`${service.url}/api/menu/main`)
  await service.stop()
  const contexts = [{}, ...[...Array(PARTNERS).keys()].map((partner) => ({ partner }))]
  const menus = contexts.map((context, id) => ({
    id,
    code: 'main',
    context,
    ...context,
    tree: JSON.parse(text),
  }))
  const folder = createMenusFolder({
    'package.json': '{}',
    'menus.json': JSON.stringify(menus),
    'db.json': JSON.stringify({ menus, main: JSON.parse(text) }),
    'site/api/menu/main.json': text,
    ...Object.fromEntries(menus.map(({ id }) => [`site/api/menu/main.${id}.json`, text])),
  })
  const [plain, variant] = ['/api/menu/main', `/api/menu/main?_context_sets=${SETS}`]
  const alternatives: Alternative[] = [
    { name: 'menuscript', start: () => startOurs(files), plain, variant },
    ...['polka', 'fastify', 'express'].map((name) => ({
      ...{ name, plain, variant },
      start: () => startProgram('node', [NAIVE, name, folder.dir]),
    })),
  ]
  if (existsSync('/usr/sbin/nginx'))
    alternatives.push({
      name: 'nginx',
      start: () => startNginx(folder.dir),
      plain,
      variant: `${plain}?partner=7`,
    })
  else console.log('nginx is not installed, and not measured.')
  const install = ['install', '--ignore-scripts', '--no-save', '--no-audit', '--no-fund', JSON_SERVER]
  const { code, stderr } = await runProcess('npm', install, { cwd: folder.dir })
  if (code === 0)
    alternatives.push({
      ...{ name: 'json-server', plain: '/main', variant: '/menus?code=main&partner=7' },
      start: () => startProgram('node', [NAIVE, 'json-server', folder.dir]),
    })
  else console.log(`${JSON_SERVER} cannot be fetched, and is not measured: ${stderr}`)

  const report = openReport('alternatives', rounds)
  for (const { name, start, ...paths } of alternatives)
    for (const [kind, what] of [
      ['plain', 'the menu without a context'],
      ['variant', 'the variant for a partner'],
    ] as const) {
      const compared = await measureDuel({ ours: start, path: () => paths[kind], starts: STARTS }, rounds)
      report({ name: `${name} ${kind}`, what, goal: null, unit: 'µs', ...compared })
    }
  folder.close()
}

function variants(): Record<string, string> {
  const each = [...Array(PARTNERS).keys()].map((partner) => {
    const menu = { ...JSON.parse(bigMenu('main', 38)), context: { partner } }
    return [`menus/main.partner-${partner}.yaml`, JSON.stringify(menu)]
  })
  return Object.fromEntries(each)
}

/** Starts a program that prints its address, or listens on one that is known. */
async function startProgram(
  command: string,
  words: readonly string[],
  { url, ...options }: StartOptions & { readonly url?: string } = {},
): Promise<Server> {
  const running = startProcess(command, words, options)
  const address = url ?? (await running.waitFor(/^listening on (\S+)$/m))[1] ?? ''
  await eventually(() => get(address).then(() => true))
  return { url: address, cpu: () => threadTime(running.pid), stop: async () => void (await running.stop()) }
}

/** In one process, like the others. */
async function startNginx(dir: string): Promise<Server> {
  const port = await freePort()
  const config = `
daemon off; master_process off; pid ${dir}/nginx.pid; error_log ${dir}/error.log;
events {}
http {
  access_log off; keepalive_requests 10000000; open_file_cache max=100;
  server {
    listen 127.0.0.1:${port}; root ${dir}/site;
    location / { default_type application/json; try_files $uri.$arg_partner.json $uri.json =404; }
  }
}
`
  writeFileSync(join(dir, 'nginx.conf'), config)
  const words = ['-e', join(dir, 'error.log'), '-p', dir, '-c', join(dir, 'nginx.conf')]
  return startProgram('/usr/sbin/nginx', words, { url: `http://127.0.0.1:${port}` })
}
