import fs, { type Stats } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/** Has the file system of this process tell times in whole ticks of so many milliseconds while something is done. */
export async function withCoarseTimes(tick: number, work: () => Promise<void>): Promise<void> {
  const { statSync, fstatSync } = fs
  const round = (stats: Stats | undefined): Stats | undefined => {
    for (const key of ['mtimeMs', 'ctimeMs'] as const) {
      if (stats !== undefined) stats[key] = Math.floor(stats[key] / tick) * tick
    }
    return stats
  }
  const coarse = {
    statSync: (...words: Parameters<typeof statSync>) => round(statSync(...words) as Stats | undefined),
    fstatSync: (descriptor: number) => round(fstatSync(descriptor)),
  }
  Object.assign(fs, coarse)
  syncBuiltinESMExports()
  try {
    await work()
  } finally {
    Object.assign(fs, { statSync, fstatSync })
    syncBuiltinESMExports()
  }
}
