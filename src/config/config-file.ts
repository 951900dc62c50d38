import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { locate, writtenAs } from '../document/node.js'
import { problemOf } from '../document/read/read-yaml.js'
import { schemaIssues } from '../document/read/schema.js'
import { validateConfig } from '../document/read/validators.js'
import { toPosition } from '../document/source.js'
import { isMap } from '../model/json.js'
import { type Problem, toProblem } from '../model/problem.js'
import { toReason } from '../service/log.js'
import { loadModule, readConfigBytes, readConfigMap } from './input-files.js'
import type { Layer } from './layers.js'
import { readGiven } from './plain-data.js'

const NAMES = ['yaml', 'yml', 'json', 'js', 'mjs'].map((ending) => `menuscript.config.${ending}`)

/** The configuration file of a folder: its path, null when there is none, a problem when there are several. */
export function findConfigFile(folder: string): {
  readonly file: string | null
  readonly problems: readonly Problem[]
} {
  const entries = new Set(listFolder(folder))
  const [first, second] = NAMES.filter((name) => entries.has(name))
  if (first === undefined) return { file: null, problems: [] }
  if (second === undefined) return { file: join(folder, first), problems: [] }
  const what = `There are two configuration files here: ${first} and ${second}.`
  return { file: null, problems: [toProblem({ code: 'config-conflict', path: second, what })] }
}

function listFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Whether a configuration file is code, which runs when it is read. */
export function isModule(file: string): boolean {
  return /\.m?js$/.test(file)
}

/** Reads a configuration file; its problems have their line. */
export async function readConfigFile(file: string): Promise<Layer> {
  const path = basename(file)
  try {
    return isModule(file) ? readModule(path, await loadModule(file)) : readText(path, readConfigBytes(file))
  } catch (thrown) {
    return failed(path, `cannot be ${isModule(file) ? 'loaded' : 'read'}: ${toReason(thrown)}`)
  }
}

function readText(path: string, bytes: Uint8Array): Layer {
  const read = readConfigMap(path, bytes)
  const hide = MAY_HOLD_SECRETS.test(Buffer.from(bytes).toString()) ? { frame: '' } : {}
  const shown = (problems: readonly Problem[]): Problem[] => problems.map((each) => ({ ...each, ...hide }))
  if (read.value === null)
    return { kind: 'file', values: {}, whereOf: () => path, problems: shown(read.problems) }
  const { value, source } = read
  const issues = schemaIssues(validateConfig, value, (pointer) => writtenAs(read.root, pointer, source.text))
  const problems = [...read.problems, ...issues.map((issue) => problemOf(issue, read))]
  const whereOf = (name: string): string =>
    `${path}:${toPosition(source, locate(read.root, name.split('.'), 'key')).line}`
  return { kind: 'file', values: value, whereOf, problems: shown(problems) }
}

/**
 * The words of the section and the option that hold a secret. Where one of them occurs, no line of the file is shown: a
 * secret may be in another line than its key, and its key may be misspelt.
 */
const MAY_HOLD_SECRETS = /dashb|session|sesion|secr|token|passw/i

function readModule(path: string, { default: given }: Readonly<Record<string, unknown>>): Layer {
  // A revoked proxy throws when it is only asked whether it is a list.
  if (!isMap(given)) return failed(path, 'must have a default export that is an object')
  const toFault = (fault: string): Problem => toFailure(path, `cannot be used: ${fault}`)
  return readGiven(given, 'default', { kind: 'file', whereOf: () => path }, null, toFault)
}

function failed(path: string, fault: string): Layer {
  return { kind: 'file', values: {}, whereOf: () => path, problems: [toFailure(path, fault)] }
}

function toFailure(path: string, fault: string): Problem {
  return toProblem({ code: 'config-file', path, what: `${path} ${fault}.` })
}
