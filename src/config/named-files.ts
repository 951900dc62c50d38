import { isAbsolute, relative, resolve } from 'node:path'
import { quote } from '../document/issue.js'
import { type Problem, toProblem } from '../model/problem.js'
import { toReason } from '../service/log.js'
import { readConfigBytes, readConfigMap } from './input-files.js'

/** Options that may name a YAML file in place of a value, and what of that file is the value. */
const NAMING_FILES: Readonly<Record<string, (map: object) => unknown>> = {
  routes: (map) => map,
  permissions: Object.keys,
}

/** The absolute paths of the files that options name in place of their values, by option. */
export function namedFiles(values: Readonly<Record<string, unknown>>, base: string): Map<string, string> {
  const named = Object.keys(NAMING_FILES).map((option) => [option, values[option]] as const)
  return new Map(
    named.flatMap(([option, file]) => (typeof file === 'string' ? [[option, resolve(base, file)]] : [])),
  )
}

/** Puts what named files hold in the place of their paths: maps of names to texts. */
export function readNamedFiles(
  values: Record<string, unknown>,
  files: ReadonlyMap<string, string>,
  base: string,
): Problem[] {
  return [...files].flatMap(([option, file]) => {
    const path = isAbsolute(String(values[option])) ? file : relative(base, file)
    values[option] = NAMING_FILES[option]?.({})
    try {
      const { value, problems } = readConfigMap(path, readConfigBytes(file))
      const wrong = Object.keys(value ?? {}).find((name) => typeof value?.[name] !== 'string')
      if (wrong !== undefined)
        return [toProblem({ code: 'wrong-type', path, what: `${quote(wrong)} must be a string.` })]
      values[option] = NAMING_FILES[option]?.(value ?? {})
      return problems
    } catch (thrown) {
      const what = `The file of ${option} cannot be read: ${toReason(thrown)}.`
      return [toProblem({ code: 'config-file', path, what })]
    }
  })
}
