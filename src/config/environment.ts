import { toNearest } from '../document/nearest.js'
import { schemaIssues } from '../document/read/schema.js'
import { validateConfig } from '../document/read/validators.js'
import { type Problem, toProblem } from '../model/problem.js'
import type { Layer } from './layer.js'
import { OPTION_ROWS, type OptionRow, putAt, toVariable } from './option-table.js'
import { toPlainData } from './plain-data.js'

/** Variables by name, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>

const PREFIX = 'MENUSCRIPT_'
/** Names the folder of the connection in use, from the folder that the program runs in. */
export const MENUS_VARIABLE = 'MENUSCRIPT_MENUS'
/** Variables of ours that are no options. */
const OTHERS = ['MENUSCRIPT_ADMIN_TOKEN', MENUS_VARIABLE]

/** The options that the environment sets: `MENUSCRIPT_SECTION_KEY`, as JSON or as a comma list, and `PORT`. */
export function readEnvironment(environment: Environment): Layer {
  const values: Record<string, unknown> = {}
  const names = new Map<string, string>()
  if (environment['PORT'] !== undefined && environment['PORT'] !== '') {
    putAt(values, 'server.port', toValue(environment['PORT'], null))
    names.set('server.port', 'PORT')
  }
  for (const row of OPTION_ROWS) {
    const variable = toVariable(row.name)
    const text = environment[variable]
    if (text === undefined) continue
    putAt(values, row.name, toValue(text, row))
    names.set(row.name, variable)
  }
  const variableOf = (name: string): string => {
    const option = [...names.keys()].find((each) => name === each || name.startsWith(`${each}.`))
    return names.get(option ?? '') ?? 'the environment'
  }
  const issues = schemaIssues(validateConfig, values, () => null).map((issue) => {
    const { code, what, todo, suggestion = null } = issue
    const path = variableOf(issue.pointer.join('.'))
    return toProblem({ code, path, what, suggestion, ...(todo !== undefined && { todo }) })
  })
  return {
    values,
    problems: [...unknownVariables(environment), ...issues],
    originOf: (name) => ({ kind: 'environment', where: variableOf(name) }),
  }
}

function toValue(text: string, row: OptionRow | null): unknown {
  try {
    // What nests beyond all reason is a text like any other that no option takes.
    const { value, fault } = toPlainData(JSON.parse(text), 'value')
    if (fault !== null) return text
    // `007` is no JSON, but `7` is: a text option keeps what was written.
    if (row === null || !row.isText || typeof value === 'string' || typeof value === 'object') return value
    return row.isList ? value : text
  } catch {
    // What may be a list or a text, such as the path of a file, is a list when it has a comma.
    const isList = row?.isList && (!row.isText || text.includes(','))
    if (isList && text !== '*') {
      return text
        .split(',')
        .map((each) => each.trim())
        .filter((each) => each !== '')
    }
    return text
  }
}

function unknownVariables(environment: Environment): Problem[] {
  const known = [...OPTION_ROWS.map(({ name }) => toVariable(name)), ...OTHERS]
  return Object.keys(environment)
    .filter((variable) => variable.startsWith(PREFIX) && !known.includes(variable))
    .filter((variable) => !isServiceLink(variable, environment[variable] ?? ''))
    .map((variable) => {
      const what = `No option has the variable ${variable}.`
      const rest = 'or unset it; "menuscript config" lists the options.'
      const [meant = null, ...others] = toMeant(variable.slice(PREFIX.length))
      const isSure = others.length === 0
      const todo = isSure ? `Correct the name, ${rest}` : `Set ${[meant, ...others].join(' or ')}, ${rest}`
      return toProblem({ code: 'unknown-key', path: variable, what, todo, suggestion: isSure ? meant : null })
    })
}

/** The variables that were probably meant by a name without its prefix: the nearest, and those that end so. */
function toMeant(name: string): readonly string[] {
  const known = [...OPTION_ROWS.map((row) => toVariable(row.name)), ...OTHERS]
  // PORT is our only variable without the prefix.
  const plain = name === 'PORT' ? ['PORT'] : []
  const ending = known.filter((variable) => variable.endsWith(`_${name}`))
  const nearest = toNearest(
    name,
    known.map((variable) => variable.slice(PREFIX.length)),
  )
  return [...new Set([...plain, ...(nearest === null ? [] : [PREFIX + nearest]), ...ending])]
}

/** What Kubernetes and Docker tell every container beside a service that is called `menuscript`. */
function isServiceLink(variable: string, value: string): boolean {
  if (/^MENUSCRIPT_(SERVICE_(HOST|PORT)(_.*)?|PORT_\d+_(TCP|UDP|SCTP)(_.*)?)$/.test(variable)) return true
  return variable === 'MENUSCRIPT_PORT' && /^(tcp|udp|sctp):\/\//.test(value)
}
