import { spawnSync } from 'node:child_process'
import { quantile } from '../support/figures.js'

/** What something costs beside a baseline, over all rounds. */
export interface Compared {
  /** The median of the ratios of the rounds, and their quartiles. */
  readonly ratio: number
  readonly spread: readonly [number, number]
  /** Medians of what one of the two costs by itself. */
  readonly ours: number
  readonly baseline: number
}

/** One short measurement; answers what it cost. */
export type Leg = () => Promise<number> | number

/** What the two cost in one round. */
export interface Round {
  readonly ours: number
  readonly baseline: number
}

/** Ours, baseline, baseline, ours: what slows the machine down for longer than a leg slows both down alike. */
export async function runRound(ours: Leg, baseline: Leg): Promise<Round> {
  const first = await ours()
  const both = (await baseline()) + (await baseline())
  return { ours: (first + (await ours())) / 2, baseline: both / 2 }
}

export function compareRounds(rounds: readonly Round[]): Compared {
  const ratios = rounds.map(({ ours, baseline }) => ours / baseline)
  const median = (values: readonly number[]): number => quantile(values, 0.5)
  return {
    ratio: median(ratios),
    spread: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
    ours: median(rounds.map(({ ours }) => ours)),
    baseline: median(rounds.map(({ baseline }) => baseline)),
  }
}

/** Compares two works of this process for some rounds, behind some that compile the code. */
export async function compareLegs(ours: Leg, baseline: Leg, rounds: number, warming = 2): Promise<Compared> {
  const measured: Round[] = []
  for (let round = -warming; round < rounds; round++) {
    const each = await runRound(ours, baseline)
    if (round >= 0) measured.push(each)
  }
  return compareRounds(measured)
}

/** Milliseconds of the processor that some work of this process takes. */
export async function timeOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

/**
 * Keeps this process, and all that it starts, on one core where the machine can: each server then has the same core, and
 * gets its requests in the same batches. On two cores the same server costs up to a fifth more or less, by chance.
 */
export function stayOnOneCore(): boolean {
  return spawnSync('taskset', ['--all-tasks', '--pid', '--cpu-list', '0', `${process.pid}`]).status === 0
}
