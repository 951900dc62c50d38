import type { HttpAnswer } from '../../support/http.js'
import type { Figure } from '../report.js'
import { type Compared, compareRounds, type Leg, type Round, runRound } from '../rounds.js'
import { openLoad } from './load.js'
import type { Row } from './rows.js'
import { type Server, settledAnswer, startOurs, startRaw } from './servers.js'

/** Two servers that answer alike, and what they are asked. */
export interface Duel extends Pick<Row, 'path' | 'headers' | 'isKnown'> {
  readonly ours: () => Promise<Server>
  /** Is given what the other answered. Default: plain node:http. */
  readonly baseline?: (answer: HttpAnswer) => Promise<Server>
  /** Default: 32. */
  readonly connections?: number
  /** How often both are started; default: 5, since two processes of one program differ by chance. */
  readonly starts?: number
}

/** A leg of a round sends at most this many bytes, in at most this many requests. */
const LEG_BYTES = 40_000_000
const MAX_REQUESTS = 2_000
/** Legs until all code is compiled. */
const WARMING = 6

/** Measures a row for some rounds. */
export async function measureRow(
  { name, what, goal, files, baseline, ...asked }: Row,
  rounds: number,
): Promise<Figure> {
  const ours = () => startOurs(files)
  const duel = { ...asked, ours, ...(baseline !== undefined && { baseline: () => startOurs(baseline) }) }
  return { name, what, goal, unit: 'µs', ...(await measureDuel(duel, rounds)) }
}

/** Compares the processor time that each server needs for a request, in microseconds. */
export async function measureDuel(duel: Duel, rounds: number): Promise<Compared> {
  const measured: Round[] = []
  const { starts = 5 } = duel
  for (let start = 0; start < starts; start++) {
    const wanted = Math.ceil((rounds - measured.length) / (starts - start))
    await withLegs(duel, async (ours, baseline) => {
      for (let round = 0; round < wanted; round++) measured.push(await runRound(ours, baseline))
    })
  }
  return compareRounds(measured)
}

async function withLegs(duel: Duel, run: (ours: Leg, baseline: Leg) => Promise<void>): Promise<void> {
  const { path, baseline = startRaw, isKnown = false, connections } = duel
  const ours = await duel.ours()
  let each = (duel.headers ?? [{}]).map((headers) => ({ accept: 'application/json', ...headers }))
  const [first = {}] = each
  const known = await settledAnswer(ours.url, path(0), first)
  if (isKnown) each = each.map((headers) => ({ ...headers, 'if-none-match': known.headers['etag'] ?? '' }))
  const answer = isKnown ? await settledAnswer(ours.url, path(0), each[0] ?? {}) : known
  const other = await baseline(answer)
  const heads = each.map((headers) =>
    Object.entries(headers)
      .map((pair) => `${pair.join(': ')}\r\n`)
      .join(''),
  )
  const lines = (turn: number): string => heads[turn % heads.length] ?? ''
  const requests = Math.min(MAX_REQUESTS, Math.round(LEG_BYTES / (answer.body.length + 1)))
  const open = async ({ url, cpu }: Server) => {
    const load = await openLoad(url, { path, lines }, connections)
    const leg = async (): Promise<number> => {
      const before = cpu()
      await load.send(requests)
      return (cpu() - before) / requests
    }
    for (let done = 0; done < WARMING; done++) await leg()
    return { ...load, leg }
  }
  const [mine, theirs] = [await open(ours), await open(other)]
  if (mine.bytes() !== theirs.bytes()) throw new Error(`${mine.bytes()} bytes, not ${theirs.bytes()}`)
  await run(mine.leg, theirs.leg)
  for (const { close } of [mine, theirs]) close()
  await Promise.all([ours.stop(), other.stop()])
}
