import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/** Has this process use other functions of the file system, in every module, while something is done. */
export async function withFs(others: Partial<typeof fs>, work: () => Promise<void>): Promise<void> {
  const own = Object.fromEntries(Object.entries(fs).filter(([name]) => name in others))
  Object.assign(fs, others)
  syncBuiltinESMExports()
  try {
    await work()
  } finally {
    Object.assign(fs, own)
    syncBuiltinESMExports()
  }
}
