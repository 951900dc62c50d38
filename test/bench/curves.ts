import { bigMenu } from '../hostile/http/built-service.js'
import { type Duel, measureDuel } from './http/measure.js'
import { startOurs } from './http/servers.js'
import { writePage } from './page/write-page.js'
import { type Figure, openReport } from './report.js'
import { type Compared, stayOnOneCore } from './rounds.js'
import { sampleMenu } from './sample-menu.js'

const HELP = `Usage: node --import tsx test/bench/curves.ts [ROUNDS]

Measures how the cost of a request, of a start and of memory grows: with the number of menus, of nodes, of candidates and of
connections, over ROUNDS rounds (default: 12) for each point. Then writes docs/performance.md from all figures in
test/bench/results.json.
`
const MENUS = [10, 100, 1_000, 10_000, 50_000]
const NODES = [5, 50, 500, 2_000, 10_000]
const CANDIDATES = [1, 2, 4, 8, 16, 32]
const CONNECTIONS = [1, 4, 16, 64, 256]
const MAIN = { 'menus/main.yaml': bigMenu('main', 38) }
const PER_FOLDER = 500

const [rounds = '12'] = process.argv.slice(2)
if (rounds === '--help') process.stdout.write(HELP)
else {
  await measureAll(Number(rounds))
  writePage()
}

async function measureAll(rounds: number): Promise<void> {
  stayOnOneCore()
  const report = openReport('curves', rounds)
  const enter = (
    curve: string,
    count: number,
    what: string,
    unit: Figure['unit'],
    compared: Compared,
  ): void => report({ name: `${curve} ${count}`, what, goal: null, unit, ...compared })
  const measure = async (curve: string, count: number, what: string, duel: Duel): Promise<void> =>
    enter(curve, count, what, 'µs', await measureDuel({ ...duel, starts: 1 }, rounds))

  for (const count of CONNECTIONS)
    await measure('connections', count, 'connections with one request each', {
      ...{ ours: () => startOurs(MAIN), path: () => '/api/menu/main', connections: count },
    })
  for (const [curve, counts, first, what] of [
    ['seen', CANDIDATES, () => 7, 'candidates, a URL seen before'],
    ['new', CANDIDATES.slice(1), (turn: number) => 1_000_000 + turn, 'candidates, every URL new'],
  ] as const)
    for (const count of counts)
      await measure(curve, count, what, {
        ours: () => startOurs(MAIN),
        path: (turn) => `/api/menu/main?_locale=en&_context_sets=${candidates(first(turn), count)}`,
      })
  for (const count of NODES)
    await measure('nodes', count, 'nodes of a tree', {
      ours: () =>
        startOurs({
          'menus/main.yaml': bigMenu('main', count),
          'menuscript.config.yaml': 'limits: { items: 10000 }\n',
        }),
      path: () => '/api/menu/main',
    })
  const first = { start: 0, memory: 0 }
  for (const count of MENUS) {
    const growth = (of: keyof typeof first, value: number): Compared => {
      first[of] ||= value
      const ratio = value / first[of]
      return { ratio, spread: [ratio, ratio], ours: value, baseline: first[of] }
    }
    const files = menus(count)
    await measure('menus', count, 'menus of 1 KB', {
      ours: async () => {
        const server = await startOurs(files)
        const stop = async (): Promise<void> => {
          enter(
            'memory',
            count,
            `memory by menus, compared with ${MENUS[0]}`,
            'MB',
            growth('memory', server.resident() / 1e6),
          )
          await server.stop()
        }
        enter(
          'start',
          count,
          `startup by menus, compared with ${MENUS[0]}`,
          'ms',
          growth('start', server.starting),
        )
        return { ...server, stop }
      },
      path: () => '/api/menu/menu-0',
    })
  }
}

/** Candidates of which only the last one, no context, has a menu. */
function candidates(first: number, count: number): string {
  const others = Array.from({ length: count - 1 }, (_, place) => ({ partner: first, place }))
  return encodeURIComponent(JSON.stringify([...others, {}]))
}

function menus(count: number): Record<string, string> {
  const each = Array.from({ length: count }, (_, at) => [
    `menus/${Math.floor(at / PER_FOLDER)}/menu-${at}.yaml`,
    sampleMenu(at).yaml,
  ])
  return Object.fromEntries(each)
}
