import { basename } from 'node:path'
import { toNearest } from '../document/nearest.js'
import { type Problem, toProblem } from '../model/problem.js'
import { POLICY_NAMES, type Policies } from '../service/hooks.js'
import { toReason } from '../service/log.js'
import { loadModule } from './load-module.js'

/** The hooks of a `policies` module; with a problem, nothing may start. */
export interface LoadedPolicies {
  readonly policies: Policies
  readonly problems: readonly Problem[]
}

/** What Node adds to the exports of a CommonJS module. */
const MADE_BY_NODE = ['module.exports', '__esModule']

/** Loads a `policies` module: named exports, or a default export that holds them. */
export async function loadPolicies(file: string): Promise<LoadedPolicies> {
  const path = basename(file)
  let module: Readonly<Record<string, unknown>>
  try {
    module = await loadModule(file)
  } catch (thrown) {
    const what = `The policies module cannot be loaded: ${toReason(thrown)}.`
    const todo = 'Mend the module, or leave out policies.'
    return { policies: {}, problems: [toProblem({ code: 'config-file', path, what, todo })] }
  }
  const { default: whole = {}, ...named } = module
  if (typeof whole !== 'object' || whole === null || Array.isArray(whole)) {
    const what = 'The default export of the policies module must be an object of hooks.'
    return { policies: {}, problems: [toProblem({ code: 'wrong-type', path, what })] }
  }
  const exported = Object.fromEntries(
    Object.entries({ ...whole, ...named }).filter(([name]) => !MADE_BY_NODE.includes(name)),
  )
  return { policies: exported as Policies, problems: judgePolicies(path, exported) }
}

/** What is wrong with an object of hooks, whichever way it came here. */
export function judgePolicies(path: string, hooks: object): Problem[] {
  return Object.entries(hooks).flatMap(([name, value]) => judgeExport(path, name, value))
}

function judgeExport(path: string, name: string, value: unknown): Problem[] {
  if (!(POLICY_NAMES as readonly string[]).includes(name)) {
    const what = `${name} is not a hook; the hooks are ${POLICY_NAMES.join(', ')}.`
    const suggestion = toNearest(name, POLICY_NAMES)
    return [
      toProblem({
        code: 'unknown-key',
        path,
        what,
        todo: 'Correct the name, or do not export it.',
        suggestion,
      }),
    ]
  }
  if (name === 'varyOn') {
    const isHeaders = Array.isArray(value) && value.every((each) => typeof each === 'string' && isToken(each))
    return isHeaders
      ? []
      : [toProblem({ code: 'wrong-type', path, what: 'varyOn must be a list of header names.' })]
  }
  return typeof value === 'function'
    ? []
    : [toProblem({ code: 'wrong-type', path, what: `${name} must be a function.` })]
}

/** RFC 9110, section 5.6.2. `*` alone would forbid every cache to answer. */
function isToken(text: string): boolean {
  return /^[\w!#$%&'+.^`|~-]{1,100}$/.test(text)
}
