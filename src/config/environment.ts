import { toNearest } from '../document/did-you-mean.js'
import { type Problem, toProblem } from '../model/problem.js'
import { ADMIN_TOKEN } from './admin-token.js'
import type { Layer } from './layers.js'
import { formProblems } from './option-form.js'
import { OPTION_ROWS, type OptionRow, putAt, toVariable } from './option-table.js'
import { toPlainData } from './plain-data.js'

/** Variables by name, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>

const PREFIX = 'MENUSCRIPT_'
/** Names the folder of the connection in use, from the folder that the program runs in. */
export const MENUS_VARIABLE = 'MENUSCRIPT_MENUS'
/** Our variables, those that are not options included. */
const KNOWN: readonly string[] = [
  ...OPTION_ROWS.map(({ name }) => toVariable(name)),
  ADMIN_TOKEN,
  MENUS_VARIABLE,
]

/** The options that the environment sets: `MENUSCRIPT_SECTION_KEY`, as JSON or as a comma list, and `PORT`. */
export function readEnvironment(environment: Environment): Layer {
  const values: Record<string, unknown> = {}
  const isOurPort = environment[toVariable('server.port')] !== undefined
  for (const row of OPTION_ROWS) {
    const isPort = row.name === 'server.port' && !isOurPort
    // PORT: empty is unset.
    const text = isPort ? environment['PORT'] || undefined : environment[toVariable(row.name)]
    if (text !== undefined) putAt(values, row.name, toValue(text, row))
  }
  const whereOf = (name: string): string => {
    const row = OPTION_ROWS.find((each) => `${name}.`.startsWith(`${each.name}.`))
    if (row === undefined) return 'the environment'
    return row.name === 'server.port' && !isOurPort ? 'PORT' : toVariable(row.name)
  }
  const problems = [...unknownVariables(environment), ...formProblems(values, whereOf, null)]
  return { kind: 'environment', values, whereOf, problems }
}

function toValue(text: string, { isText, isList }: OptionRow): unknown {
  try {
    // A value that nests too deeply is a text, which no option takes.
    const { value, fault } = toPlainData(JSON.parse(text), 'value')
    if (fault !== null) return text
    // `007` is not JSON, but `7` is: a text option keeps what was written.
    return !isText || isList || typeof value === 'string' || typeof value === 'object' ? value : text
  } catch {
    // What may be a list or a text, such as the path of a file, is a list when it has a comma.
    if (!isList || text === '*' || (isText && !text.includes(','))) return text
    const entries = text.split(',').map((each) => each.trim())
    return entries.filter((each) => each !== '')
  }
}

function unknownVariables(environment: Environment): Problem[] {
  return Object.entries(environment)
    .filter(([name]) => name.startsWith(PREFIX) && !KNOWN.includes(name))
    .filter(([name, text = '']) => !isServiceLink(name, text))
    .map(([path]) => {
      const what = `No option has the variable ${path}.`
      const rest = 'or unset it; "menuscript config" lists the options.'
      const [meant = null, ...others] = variablesLike(path.slice(PREFIX.length))
      const isSure = others.length === 0
      const todo = isSure ? `Correct the name, ${rest}` : `Set ${[meant, ...others].join(' or ')}, ${rest}`
      return toProblem({ code: 'unknown-key', path, what, todo, suggestion: isSure ? meant : null })
    })
}

/** The variables that were probably meant by a name without its prefix: the nearest, and those that end so. */
function variablesLike(name: string): readonly string[] {
  const nearest = toNearest(
    name,
    KNOWN.map((variable) => variable.slice(PREFIX.length)),
  )
  return [
    ...new Set([
      // PORT is our only variable without the prefix.
      ...(name === 'PORT' ? ['PORT'] : []),
      ...(nearest === null ? [] : [PREFIX + nearest]),
      ...KNOWN.filter((variable) => variable.endsWith(`_${name}`)),
    ]),
  ]
}

/** Variables that Kubernetes and Docker set in every container beside a service that is called `menuscript`. */
function isServiceLink(variable: string, value: string): boolean {
  if (/^MENUSCRIPT_(SERVICE_(HOST|PORT)(_.*)?|PORT_\d+_(TCP|UDP|SCTP)(_.*)?)$/.test(variable)) return true
  return variable === 'MENUSCRIPT_PORT' && /^(tcp|udp|sctp):\/\//.test(value)
}
