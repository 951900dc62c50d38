import { syncBuiltinESMExports } from 'node:module'

/** Has this process use other functions of a module of Node, in every module of ours, while something is done. */
export async function withReplaced<T extends object>(
  builtin: T,
  others: Partial<T>,
  work: () => Promise<void>,
): Promise<void> {
  const own = Object.fromEntries(Object.entries(builtin).filter(([name]) => name in others))
  Object.assign(builtin, others)
  syncBuiltinESMExports()
  try {
    await work()
  } finally {
    Object.assign(builtin, own)
    syncBuiltinESMExports()
  }
}
