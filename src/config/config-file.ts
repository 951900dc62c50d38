import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parsePointer } from '../document/issue.js'
import { problemOf, readYamlMap } from '../document/read-yaml.js'
import { schemaIssues } from '../document/schema.js'
import { toPosition } from '../document/source.js'
import { validateConfig } from '../document/validators.js'
import { locate, writtenAs } from '../document/value.js'
import type { YamlLimits } from '../model/limits.js'
import { type Problem, toProblem } from '../model/problem.js'
import { toReason } from '../service/log.js'
import type { Layer } from './layer.js'

const NAMES = ['yaml', 'yml', 'json', 'js', 'mjs'].map((ending) => `menuscript.config.${ending}`)
/** A configuration may map thousands of routes, and is written by the operator. */
export const CONFIG_YAML: YamlLimits = { depth: 32, nodes: 400_000, keysPerMap: 20_000 }

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

/** Reads a configuration file; what is wrong with it is told with its line. */
export async function readConfigFile(file: string): Promise<Layer> {
  return /\.m?js$/.test(file) ? readModule(file) : readText(file)
}

function readText(file: string): Layer {
  const name = basename(file)
  let bytes: Uint8Array
  try {
    bytes = readFileSync(file)
  } catch (thrown) {
    return failed(name, `${name} cannot be read: ${toReason(thrown)}.`)
  }
  const read = readYamlMap(name, bytes, CONFIG_YAML)
  // An empty file, or one with comments only, configures nothing.
  if (read.value === null && read.problems.every(({ code }) => code === 'empty-file'))
    return toLayer(name, {}, [], () => 1)
  if (read.value === null)
    return { values: {}, originOf: () => ({ kind: 'file', where: name }), problems: read.problems }
  const { value, root, source } = read
  const issues = schemaIssues(validateConfig, value, (pointer) => writtenAs(root, pointer, source.text))
  const problems = [...read.problems, ...issues.map((issue) => problemOf(issue, root, source))]
  return toLayer(
    name,
    value,
    problems,
    (option) => toPosition(source, locate(root, option.split('.'), 'key')).line,
  )
}

async function readModule(file: string): Promise<Layer> {
  const name = basename(file)
  let value: unknown
  try {
    const module: { readonly default?: unknown } = await import(pathToFileURL(file).href)
    value = module.default
  } catch (thrown) {
    return failed(name, `${name} cannot be loaded: ${toReason(thrown)}.`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return failed(name, `${name} must have a default export that is an object.`)
  }
  const issues = schemaIssues(validateConfig, value, () => null)
  const problems = issues.map(({ code, what, suggestion }) =>
    toProblem({ code, path: name, what, suggestion: suggestion ?? null }),
  )
  return toLayer(name, value as Readonly<Record<string, unknown>>, problems, null)
}

function toLayer(
  name: string,
  values: Layer['values'],
  problems: readonly Problem[],
  lineOf: ((option: string) => number) | null,
): Layer {
  const where = (option: string) => (lineOf === null ? name : `${name}:${lineOf(option)}`)
  return { values, problems, originOf: (option) => ({ kind: 'file', where: where(option) }) }
}

function failed(name: string, what: string): Layer {
  const problems = [toProblem({ code: 'config-file', path: name, what })]
  return { values: {}, problems, originOf: () => ({ kind: 'file', where: name }) }
}

/** The option that a problem's pointer lies in, as a dotted name. */
export function optionAt(pointer: string): string {
  return parsePointer(pointer).join('.')
}
