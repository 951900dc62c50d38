import { realpathSync } from 'node:fs'
import type { Environment } from '../../config/environment.js'
import { isInside } from '../../store/inside.js'

export type LintFormat = 'text' | 'json' | 'github' | 'gitlab' | 'sarif'

/** The formats, each with the variables in which its CI systems name the top of the work tree. */
export const LINT_FORMATS: Readonly<Record<LintFormat, readonly string[]>> = {
  text: [],
  json: [],
  github: ['GITHUB_WORKSPACE'],
  gitlab: ['CI_PROJECT_DIR'],
  sarif: ['GITHUB_WORKSPACE', 'CI_PROJECT_DIR'],
}

/**
 * The folder from which a format names files: for people, the one in which the command runs. A CI expects paths from the top
 * of its work tree, wherever a step runs.
 */
export function toTop(format: LintFormat, folder: string, environment: Environment): string {
  const tops = LINT_FORMATS[format].map((name) => toRealFolder(environment[name] ?? ''))
  return tops.find((top) => top !== null && isInside(folder, top)) ?? folder
}

function toRealFolder(path: string): string | null {
  try {
    return path === '' ? null : realpathSync(path)
  } catch {
    return null
  }
}
