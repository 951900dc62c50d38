import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { readYamlMap, type YamlMap } from '../document/read/read-yaml.js'
import type { YamlLimits } from '../model/limits.js'
import { toProblem } from '../model/problem.js'
import { within } from '../service/hook-calls.js'

/** More than any configuration has; a file of routes may have tens of thousands. */
const MAX_BYTES = 8 * 1_048_576
/** Milliseconds for which a module may load; a command that waits forever reports nothing. */
const LOAD_MS = 10_000
/** A configuration may map thousands of routes, and is written by the operator. */
const CONFIG_YAML: YamlLimits = { depth: 32, nodes: 400_000, keysPerMap: 20_000 }

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

/** Reads a text of the configuration: no content is an empty configuration, and no message is about menus. */
export function readConfigMap(path: string, bytes: Uint8Array): YamlMap {
  const read = readYamlMap(path, bytes, CONFIG_YAML)
  if (read.value !== null) return read
  const problems = read.problems
    .filter(({ code }) => code !== 'empty-file')
    .map(({ why, todo, ...found }) =>
      found.code === 'not-a-menu' ? toProblem({ ...found, code: 'config-file' }) : { ...found, why, todo },
    )
  return { value: null, problems }
}

/** Loads a module of the deployment. Throws what it throws, or that it did not end loading in time. */
export function loadModule(file: string): Promise<Readonly<Record<string, unknown>>> {
  return within(LOAD_MS, import(pathToFileURL(file).href), 'it did not finish loading')
}
