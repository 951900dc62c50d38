import { isAbsolute, relative, resolve } from 'node:path'
import { quote } from '../document/issue.js'
import { readYamlMap } from '../document/read/read-yaml.js'
import { type Problem, toProblem } from '../model/problem.js'
import { toReason } from '../service/log.js'
import { withoutMenus } from './config-file.js'
import { CONFIG_YAML, readConfigBytes } from './input-files.js'

/** Options that may name a YAML file in place of a value, and what of that file is the value. */
const NAMING_FILES: Readonly<Record<string, (map: Readonly<Record<string, unknown>>) => unknown>> = {
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

/** Puts what named files hold in the place of their paths. */
export function readNamedFiles(
  values: Record<string, unknown>,
  files: ReadonlyMap<string, string>,
  base: string,
): Problem[] {
  return [...files].flatMap(([option, file]) => {
    const path = isAbsolute(String(values[option])) ? file : relative(base, file)
    const { map, problems } = readTextMap(path, file, option)
    values[option] = NAMING_FILES[option]?.(map)
    return problems
  })
}

/** Reads a YAML file that maps names to texts. */
function readTextMap(
  path: string,
  file: string,
  option: string,
): { readonly map: Readonly<Record<string, unknown>>; readonly problems: readonly Problem[] } {
  try {
    const { value, problems } = readYamlMap(path, readConfigBytes(file), CONFIG_YAML)
    if (value === null) return { map: {}, problems: withoutMenus(problems) }
    const wrong = Object.keys(value).find((name) => typeof value[name] !== 'string')
    if (wrong === undefined) return { map: value, problems }
    const what = `${quote(wrong)} must be a text.`
    return { map: {}, problems: [toProblem({ code: 'wrong-type', path, what })] }
  } catch (thrown) {
    const what = `The file of ${option} cannot be read: ${toReason(thrown)}.`
    return { map: {}, problems: [toProblem({ code: 'config-file', path, what })] }
  }
}
