import fs, { type Stats } from 'node:fs'
import { withReplaced } from '../../support/with-replaced.js'

/** Has the file system of this process tell other times of files than it has, while something is done. */
export async function withFileTimes(
  toTime: (milliseconds: number) => number,
  work: () => Promise<void>,
): Promise<void> {
  const { statSync, fstatSync } = fs
  const change = (stats: Stats | undefined): Stats | undefined => {
    for (const key of ['mtimeMs', 'ctimeMs'] as const) {
      if (stats !== undefined) stats[key] = toTime(stats[key])
    }
    return stats
  }
  const others = {
    statSync: (...words: Parameters<typeof statSync>) => change(statSync(...words) as Stats | undefined),
    fstatSync: (descriptor: number) => change(fstatSync(descriptor)),
  }
  await withReplaced(fs, others as Partial<typeof fs>, work)
}
