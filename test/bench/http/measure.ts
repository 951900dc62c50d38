import { type Compared, compareRounds, type Leg, type Round, runRound } from '../rounds.js'
import { openLoad } from './load.js'
import type { Row } from './rows.js'
import { type Server, settledAnswer, startOurs, startRaw } from './servers.js'

/** What the requests of a row cost: microseconds of the processor for each. */
export interface Measured extends Compared {
  readonly name: string
  readonly what: string
  readonly goal: number
  /** Of an answer, with its head. */
  readonly bytes: number
}

/** A leg of a round sends at most this many bytes, in at most this many requests. */
const LEG_BYTES = 40_000_000
const MAX_REQUESTS = 2_000
/** Legs until all code is compiled. */
const WARMING = 10
/** How often both servers are started: two processes of one program differ, by chance. */
const STARTS = 5

/** Measures a row for some rounds. */
export async function measureRow(row: Row, rounds: number): Promise<Measured> {
  const measured: Round[] = []
  let bytes = 0
  for (let start = 0; start < STARTS; start++) {
    const wanted = Math.ceil((rounds - measured.length) / (STARTS - start))
    bytes = await withServers(row, async (ours, baseline) => {
      for (let round = 0; round < wanted; round++) measured.push(await runRound(ours, baseline))
    })
  }
  const { name, what, goal } = row
  return { name, what, goal, bytes, ...compareRounds(measured) }
}

/** Runs with a leg for each server; answers how many bytes an answer has. */
async function withServers(row: Row, run: (ours: Leg, baseline: Leg) => Promise<void>): Promise<number> {
  const { name, files, baseline, path, headers: wanted, isKnown } = row
  const ours = await startOurs(files)
  let headers: Readonly<Record<string, string>> = { accept: 'application/json', ...wanted }
  const { headers: given } = await settledAnswer(ours.url, path(0), headers)
  if (isKnown) headers = { ...headers, 'if-none-match': given['etag'] ?? '' }
  const answer = await settledAnswer(ours.url, path(0), headers)
  const other = await (baseline === undefined ? startRaw(answer) : startOurs(baseline))
  const lines = Object.entries(headers)
    .map(([header, value]) => `${header}: ${value}\r\n`)
    .join('')
  const requests = Math.min(MAX_REQUESTS, Math.round(LEG_BYTES / (answer.body.length + 1)))
  const open = async ({ url, cpu }: Server) => {
    const load = await openLoad(url, { path, lines })
    const leg = async (): Promise<number> => {
      const before = cpu()
      await load.send(requests)
      return (cpu() - before) / requests
    }
    for (let done = 0; done < WARMING; done++) await leg()
    return { ...load, leg }
  }
  const [mine, theirs] = [await open(ours), await open(other)]
  if (mine.bytes() !== theirs.bytes())
    throw new Error(`${name}: ${mine.bytes()} bytes, not ${theirs.bytes()}`)
  await run(mine.leg, theirs.leg)
  for (const { close } of [mine, theirs]) close()
  await Promise.all([ours.stop(), other.stop()])
  return mine.bytes()
}
