import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './readme.js'

/** The texts of all TypeScript files in a folder of the project, or of those whose path in it is wanted. */
export function textsOf(folder: string, isWanted: (path: string) => boolean = () => true): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && isWanted(path))
    .map((path) => readFileSync(join(ROOT, folder, path), 'utf8'))
}

/** The first group of each match. */
export function matches(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(([, found = '']) => found)
}
