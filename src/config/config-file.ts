import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { quote } from '../document/issue.js'
import { problemOf, readYamlMap } from '../document/read/read-yaml.js'
import { schemaIssues } from '../document/read/schema.js'
import { validateConfig } from '../document/read/validators.js'
import { toPosition } from '../document/source.js'
import { locate, writtenAs } from '../document/value.js'
import type { YamlLimits } from '../model/limits.js'
import { type Problem, toProblem } from '../model/problem.js'
import { toReason } from '../service/log.js'
import { readConfigBytes } from './config-bytes.js'
import type { Layer } from './layer.js'
import { loadModule } from './load-module.js'
import { readGiven } from './plain-data.js'

/** A map from names to texts, as a file has it. */
export interface TextMap {
  readonly value: Readonly<Record<string, string>>
  readonly problems: readonly Problem[]
}

const NAMES = ['yaml', 'yml', 'json', 'js', 'mjs'].map((ending) => `menuscript.config.${ending}`)
/** A configuration may map thousands of routes, and is written by the operator. */
const CONFIG_YAML: YamlLimits = { depth: 32, nodes: 400_000, keysPerMap: 20_000 }

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
  return isModule(file) ? readModule(file) : readText(file)
}

/** Whether a configuration file is code, which runs when it is read. */
export function isModule(file: string): boolean {
  return /\.m?js$/.test(file)
}

function readText(file: string): Layer {
  const name = basename(file)
  let bytes: Uint8Array
  try {
    bytes = readConfigBytes(file)
  } catch (thrown) {
    return failed(name, `${name} cannot be read: ${toReason(thrown)}.`)
  }
  const read = readYamlMap(name, bytes, CONFIG_YAML)
  const shown = (problems: readonly Problem[]): readonly Problem[] =>
    MAY_HOLD_SECRETS.test(Buffer.from(bytes).toString()) ? problems.map(withoutFrame) : problems
  if (read.value === null) return toLayer(name, {}, shown(withoutMenus(read.problems)), () => 1)
  const { value, root, source } = read
  const issues = schemaIssues(validateConfig, value, (pointer) => writtenAs(root, pointer, source.text))
  const problems = [...read.problems, ...issues.map((issue) => problemOf(issue, root, source))]
  return toLayer(
    name,
    value,
    shown(problems),
    (option) => toPosition(source, locate(root, option.split('.'), 'key')).line,
  )
}

/**
 * The words of the section and the option that hold a secret. Where one of them occurs, no line of the file is shown: a
 * secret may stand in another line than its key, and its key may be misspelt.
 */
const MAY_HOLD_SECRETS = /dashb|session|sesion|secr|token|passw/i

function withoutFrame(problem: Problem): Problem {
  return { ...problem, frame: '' }
}

/** Reads a YAML file that maps names to texts, such as the file of routes. */
export function readTextMap(path: string, bytes: Uint8Array): TextMap {
  const { value, problems } = readYamlMap(path, bytes, CONFIG_YAML)
  if (value === null) return { value: {}, problems: withoutMenus(problems) }
  const wrong = Object.entries(value).find(([, text]) => typeof text !== 'string')
  if (wrong === undefined) return { value: value as TextMap['value'], problems }
  const what = `${quote(wrong[0])} must be a text.`
  return { value: {}, problems: [toProblem({ code: 'wrong-type', path, what })] }
}

/** The problems of a text that holds no map: no content is no configuration, and anything else is told without menus. */
function withoutMenus(problems: readonly Problem[]): Problem[] {
  return problems
    .filter(({ code }) => code !== 'empty-file')
    .map(({ why, todo, ...found }) =>
      found.code === 'not-a-menu' ? toProblem({ ...found, code: 'config-file' }) : { ...found, why, todo },
    )
}

async function readModule(file: string): Promise<Layer> {
  const name = basename(file)
  let given: unknown
  let isObject: boolean
  try {
    given = (await loadModule(file))['default']
    // A revoked proxy throws when it is only asked whether it is a list.
    isObject = typeof given === 'object' && given !== null && !Array.isArray(given)
  } catch (thrown) {
    return failed(name, `${name} cannot be loaded: ${toReason(thrown)}.`)
  }
  if (!isObject) return failed(name, `${name} must have a default export that is an object.`)
  const { values, issues, fault } = readGiven(given, 'default')
  if (fault !== null) return failed(name, `${name} cannot be used: ${fault}.`)
  const problems = issues.map(({ code, what, suggestion }) =>
    toProblem({ code, path: name, what, suggestion: suggestion ?? null }),
  )
  return toLayer(name, values, problems, null)
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
