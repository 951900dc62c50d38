import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { ROOT } from '../readme/readme.js'

const KIT = join(ROOT, 'docs/deploy')

/** The text of a file of docs/deploy. */
export function kitText(path: string): string {
  return readFileSync(join(KIT, path), 'utf8')
}

/** The paths of all its files. */
export function kitPaths(): readonly string[] {
  return readdirSync(KIT, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(KIT, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort()
}

/** A text in which each of these stands once and is replaced: a swap that no longer fits fails. */
export function swapped(text: string, swaps: Readonly<Record<string, string>>): string {
  return Object.entries(swaps).reduce((current, [from, to]) => {
    if (current.split(from).length !== 2) throw new Error(`There is not one ${from} in\n${current}`)
    return current.replace(from, () => to)
  }, text)
}
