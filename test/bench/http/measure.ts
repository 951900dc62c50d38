import { quantile } from '../../support/figures.js'
import { sendLoad } from './load.js'
import type { Row } from './rows.js'
import { type Server, settledAnswer, startOurs, startRaw } from './servers.js'

/** What a row costs: medians over the rounds. */
export interface Measured {
  readonly name: string
  readonly what: string
  readonly goal: number
  /** Processor time beside that of the baseline in the same round. */
  readonly ratio: number
  /** The lower and the upper quartile of that. */
  readonly spread: readonly [number, number]
  /** Microseconds of the processor for each request. */
  readonly ours: number
  readonly baseline: number
  /** Of an answer, with its head. */
  readonly bytes: number
}

/** A round sends at most this many bytes, in at most this many requests. */
const ROUND_BYTES = 400_000_000
const MAX_REQUESTS = 16_000

/** Measures a row: ours, baseline, ours, baseline, for some rounds. */
export async function measureRow(row: Row, rounds: number): Promise<Measured> {
  const { name, what, goal, files, baseline, path } = row
  const ours = await startOurs(files)
  let headers: Readonly<Record<string, string>> = { accept: 'application/json', ...row.headers }
  const { headers: given } = await settledAnswer(ours.url, path(0), headers)
  if (row.isKnown) headers = { ...headers, 'if-none-match': given['etag'] ?? '' }
  const answer = await settledAnswer(ours.url, path(0), headers)
  const other = await (baseline === undefined ? startRaw(answer) : startOurs(baseline))
  const lines = Object.entries(headers)
    .map(([header, value]) => `${header}: ${value}\r\n`)
    .join('')
  const requests = Math.min(MAX_REQUESTS, Math.round(ROUND_BYTES / (answer.body.length + 1)))
  let turn = 0
  const perRequest = async ({ url, cpu }: Server) => {
    const before = await cpu()
    const bytes = await sendLoad(url, { path: () => path(turn++), lines }, requests)
    return { bytes, microseconds: ((await cpu()) - before) / requests }
  }
  const [mine, theirs]: [number[], number[]] = [[], []]
  let bytes = 0
  // The first round compiles the code.
  for (let round = 0; round <= rounds; round++) {
    const [one, another] = [await perRequest(ours), await perRequest(other)]
    if (one.bytes !== another.bytes) throw new Error(`${name}: ${one.bytes} bytes, not ${another.bytes}`)
    bytes = one.bytes
    if (round === 0) continue
    mine.push(one.microseconds)
    theirs.push(another.microseconds)
  }
  await Promise.all([ours.stop(), other.stop()])
  const ratios = mine.map((each, round) => each / (theirs[round] ?? Number.NaN))
  return {
    ...{ name, what, goal, bytes },
    ratio: quantile(ratios, 0.5),
    spread: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
    ours: quantile(mine, 0.5),
    baseline: quantile(theirs, 0.5),
  }
}
