import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The variable that names the folder of what the runner compiled. */
export const COMPILED = 'COMPILED_TESTS'

/** The words behind `node` that start a program of ours, a file `NAME.program.ts`, by its path in `test/`. */
export function programOf(path: string): readonly string[] {
  const compiled = process.env[COMPILED]
  if (compiled !== undefined) return [join(compiled, path.replace(/\.ts$/, '.js'))]
  return ['--import', import.meta.resolve('tsx'), fileURLToPath(new URL(`../${path}`, import.meta.url))]
}
