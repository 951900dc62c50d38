import { isAbsolute, relative, resolve } from 'node:path'
import { isError, type Problem, toProblem } from '../model/problem.js'
import { toReason } from '../service/log.js'
import { readConfigBytes, readConfigMap } from './input-files.js'

/** Options that may name a YAML file in place of a map. */
const NAMING_FILES: readonly string[] = ['routes', 'permissions']

/** The absolute paths of the files that options name in place of their values, by option. */
export function namedFiles(values: Readonly<Record<string, unknown>>, base: string): Map<string, string> {
  const named = NAMING_FILES.map((option) => [option, values[option]] as const)
  return new Map(
    named.flatMap(([option, file]) => (typeof file === 'string' ? [[option, resolve(base, file)]] : [])),
  )
}

/** Puts the maps that named files hold in the place of their paths, and judges them with `judge`. */
export function readNamedFiles(
  values: Record<string, unknown>,
  files: ReadonlyMap<string, string>,
  base: string,
  judge: (values: object, path: string) => Problem[],
): Problem[] {
  return [...files].flatMap(([option, file]) => {
    const path = isAbsolute(String(values[option])) ? file : relative(base, file)
    values[option] = {}
    try {
      const { value, problems } = readConfigMap(path, readConfigBytes(file))
      const found = [...problems, ...judge({ [option]: value ?? {} }, path)]
      if (!found.some(isError)) values[option] = value ?? {}
      return found
    } catch (thrown) {
      const what = `The file of ${option} cannot be read: ${toReason(thrown)}.`
      return [toProblem({ code: 'config-file', path, what })]
    }
  })
}
