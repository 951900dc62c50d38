import { pathToFileURL } from 'node:url'

/** Milliseconds for which a module may load; a command that waits for ever tells nobody why. */
const LOAD_MS = 10_000

/** Loads a module of the deployment. Throws what it throws, or that it did not end loading in time. */
export async function loadModule(file: string): Promise<Readonly<Record<string, unknown>>> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    const error = new Error(`it did not finish loading within ${LOAD_MS / 1000} seconds`)
    timer = setTimeout(() => reject(error), LOAD_MS)
  })
  try {
    return await Promise.race([import(pathToFileURL(file).href), late])
  } finally {
    clearTimeout(timer)
  }
}
