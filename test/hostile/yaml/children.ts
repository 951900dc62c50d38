import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createMenusFolder } from '../../support/menus-folder.js'
import { startProcess } from '../../support/process.js'
import { programOf } from '../../support/programs.js'

/** What became of many tries in processes of their own. */
export interface Tally {
  /** How many texts there were of each outcome. */
  readonly sorts: Readonly<Record<string, number>>
  /** What went wrong, with the place of the try. */
  readonly faults: readonly string[]
  /** The tries that ended their process, and how. */
  readonly deaths: readonly string[]
  readonly slowest: { readonly milliseconds: number; readonly name: string }
}

export interface ChildrenOptions {
  /** How much memory a process may use for what it holds, in megabytes. Default: as Node likes. */
  readonly heap?: number
}

/** The tries from one place to before another. */
interface Batch {
  readonly kind: string
  readonly seed: number
  readonly from: number
  readonly to: number
}

const PROGRAM = programOf('hostile/yaml/parse-many.program.ts')
/** What a process has compiled makes its later tries cheap. */
const PER_CHILD = 10_000
const AT_ONCE = 2
const MOST_DEATHS = 10
const NOTHING: Tally = { sorts: {}, faults: [], deaths: [], slowest: { milliseconds: 0, name: '' } }

/** Makes and parses that many texts in child processes, two at a time; behind a try that ends its process, the next goes on. */
export async function parseInChildren(
  kind: string,
  seed: number,
  tries: number,
  options: ChildrenOptions = {},
): Promise<Tally> {
  const size = Math.min(PER_CHILD, Math.ceil(tries / AT_ONCE))
  const queue = Array.from({ length: Math.ceil(tries / size) }, (_, child): Batch => {
    const from = child * size
    return { kind, seed, from, to: Math.min(from + size, tries) }
  })
  let sum = NOTHING
  const worker = async () => {
    for (let batch = queue.shift(); batch !== undefined; batch = queue.shift()) {
      const { tally, diedAt } = await parseInChild(batch, options)
      sum = add(sum, tally)
      const goesOn = diedAt !== null && sum.deaths.length < MOST_DEATHS && diedAt + 1 < batch.to
      if (goesOn) queue.push({ ...batch, from: diedAt + 1 })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return sum
}

async function parseInChild(
  { kind, seed, from, to }: Batch,
  { heap }: ChildrenOptions,
): Promise<{ readonly tally: Tally; readonly diedAt: number | null }> {
  const flags = heap === undefined ? [] : [`--max-old-space-size=${heap}`]
  const wish = [kind, ...[seed, from, to - from].map(String)]
  const folder = createMenusFolder({ mark: `${from}` })
  const mark = join(folder.dir, 'mark')
  const child = startProcess('node', [...flags, ...PROGRAM, ...wish, mark])
  const { code, signal } = await child.ended
  const diedAt = Number.parseInt(readFileSync(mark, 'utf8'), 10)
  folder.close()
  const lines = child.stdout().split('\n')
  const faults = lines.filter((line) => line.startsWith('fault'))
  const end = lines.find((line) => line.startsWith('end '))
  if (end !== undefined && code === 0) {
    const told = JSON.parse(end.slice('end '.length)) as Pick<Tally, 'sorts' | 'slowest'>
    return { tally: { ...told, faults, deaths: [] }, diedAt: null }
  }
  const why = /FATAL ERROR.*|Error.*/.exec(child.stderr())?.[0] ?? ''
  const deaths = [`${kind} ${seed} ${diedAt}: ${signal ?? `exit code ${code}`} ${why}`.trimEnd()]
  return { tally: { ...NOTHING, faults, deaths }, diedAt }
}

function add(a: Tally, b: Tally): Tally {
  const sorts: Record<string, number> = { ...a.sorts }
  for (const [sort, count] of Object.entries(b.sorts)) sorts[sort] = (sorts[sort] ?? 0) + count
  const slowest = a.slowest.milliseconds > b.slowest.milliseconds ? a.slowest : b.slowest
  return { sorts, faults: [...a.faults, ...b.faults], deaths: [...a.deaths, ...b.deaths], slowest }
}

/** How many tries came to their end. */
export function triesOf({ sorts }: Tally): number {
  return Object.values(sorts).reduce((sum, count) => sum + count, 0)
}

/** Prints how a run of many tries went; the long names of what is rare are left out. */
export function report(tally: Tally, seed: number, start: number): void {
  const most = Object.entries(tally.sorts).sort(([, a], [, b]) => b - a)
  const { milliseconds, name } = tally.slowest
  console.log(`    seed ${seed}: ${triesOf(tally)} files in ${Math.round(performance.now() - start)} ms`)
  console.log(`    ${most.map(([sort, count]) => `${sort} ${count}`).join(', ')}`)
  console.log(`    slowest: ${Math.round(milliseconds)} ms, ${name}`)
}
