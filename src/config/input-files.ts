import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { YamlLimits } from '../model/limits.js'

/** More than any configuration has; a file of routes may have tens of thousands. */
const MAX_BYTES = 8 * 1_048_576
/** Milliseconds for which a module may load; a command that waits forever reports nothing. */
const LOAD_MS = 10_000
/** A configuration may map thousands of routes, and is written by the operator. */
export const CONFIG_YAML: YamlLimits = { depth: 32, nodes: 400_000, keysPerMap: 20_000 }

/**
 * Reads a file of the configuration. What is judged is what was opened, so that nothing can take its place meanwhile: a
 * pipe is not waited for, and a device is not read without an end. Throws why not.
 */
export function readConfigBytes(file: string): Uint8Array {
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const stats = fstatSync(descriptor)
    if (stats.isDirectory()) throw new Error('it is a folder')
    if (!stats.isFile()) throw new Error('it is not a regular file')
    if (stats.size > MAX_BYTES)
      throw new Error(`it has ${stats.size} bytes; at most ${MAX_BYTES} are allowed`)
    return readFileSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

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
