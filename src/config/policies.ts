import { basename } from 'node:path'
import { toNearest } from '../document/did-you-mean.js'
import { isMap } from '../model/json.js'
import { type Finding, type Problem, toProblem } from '../model/problem.js'
import { POLICY_NAMES, type Policies } from '../service/hooks.js'
import { toReason } from '../service/log.js'
import { ConfigurationError } from './errors.js'
import { loadModule } from './input-files.js'

/** What Node and compilers add to the exports of a CommonJS module. */
const MADE_BY_NODE = ['module.exports', '__esModule']

/**
 * Loads a `policies` module: named exports, or a default export that holds them. Throws ConfigurationError where nothing may
 * start with them.
 */
export async function loadPolicies(file: string): Promise<Policies> {
  const path = basename(file)
  let module: Readonly<Record<string, unknown>>
  try {
    module = await loadModule(file)
  } catch (thrown) {
    const what = `The policies module cannot be loaded: ${toReason(thrown)}.`
    const todo = 'Fix the module, or leave out policies.'
    throw new ConfigurationError([toProblem({ code: 'config-file', path, what, todo })])
  }
  const { default: whole = {}, ...named } = module
  return parsePolicies(path, whole, named)
}

/**
 * Hooks from whatever objects have them, as a plain object: methods of a class stay bound to their instance, and getters
 * are read once. After this, own properties are all there is; whether a response is shared depends on that. Throws
 * ConfigurationError for what is no hook.
 */
export function parsePolicies(path: string, ...givens: readonly unknown[]): Policies {
  const policies: Record<string, unknown> = {}
  // Node gives the members of a CommonJS module in two ways: what is wrong with one is reported once.
  const problems = new Map<string, Problem>()
  const report = (finding: Omit<Finding, 'path'>): void => {
    problems.set(finding.what, toProblem({ ...finding, path }))
  }
  for (const given of givens) {
    if (!isMap(given)) {
      const what = 'The hooks, or the default export of their module, must be an object.'
      report({ code: 'wrong-type', what })
      continue
    }
    for (const name of POLICY_NAMES) {
      try {
        const value: unknown = Reflect.get(given, name)
        if (value === undefined && !(name in given)) continue
        const wanted = name === 'varyOn' ? 'a list of header names' : 'a function'
        const isFine = name === 'varyOn' ? isHeaders(value) : typeof value === 'function'
        if (!isFine) report({ code: 'wrong-type', what: `${name} must be ${wanted}.` })
        policies[name] = typeof value === 'function' ? value.bind(given) : value
      } catch (thrown) {
        const what = `${name} cannot be read: ${toReason(thrown)}.`
        report({ code: 'config-file', what, todo: 'Fix its getter.' })
      }
    }
    for (const name of namesOf(given)) {
      if (POLICY_NAMES.some((each) => each === name)) continue
      const what = `${name} is not a hook; the hooks are ${POLICY_NAMES.join(', ')}.`
      const todo = 'Correct the name, or do not export it; in a class, begin it with #.'
      report({ code: 'unknown-key', what, todo, suggestion: toNearest(name, POLICY_NAMES) })
    }
  }
  if (problems.size > 0) throw new ConfigurationError([...problems.values()])
  return policies as Policies
}

/** The names of an object and of the classes it is of; not those that every object has, such as `constructor`. */
function namesOf(given: object): ReadonlySet<string> {
  const names = new Set<string>()
  for (let each: object | null = given; each !== null; each = Object.getPrototypeOf(each))
    for (const name of Object.getOwnPropertyNames(each))
      if (!(name in Object.prototype) && !MADE_BY_NODE.includes(name)) names.add(name)
  return names
}

/** RFC 9110, section 5.6.2. `*` alone would forbid every cache to answer. */
function isHeaders(value: unknown): boolean {
  const isToken = (each: unknown): boolean =>
    typeof each === 'string' && /^[\w!#$%&'+.^`|~-]{1,100}$/.test(each)
  return Array.isArray(value) && value.every(isToken)
}
