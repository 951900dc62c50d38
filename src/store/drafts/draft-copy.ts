import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { countValues } from '../../change/operations/count-values.js'
import { type Limits, toYamlLimits } from '../../model/limits.js'
import { isGone } from '../entry.js'
import { contentHash } from '../hash.js'
import { folderName, removeFolder } from './draft-folder.js'
import { JOURNAL, readJournal } from './journal.js'
import type { DraftReader, Loaded } from './read-draft.js'
import { FIRST_BASE, type Step } from './steps.js'

/** The files of a draft by their names: its journal, and the texts beside it. */
export type DraftFiles = ReadonlyMap<string, Uint8Array>

/** Whether the folder of a draft has a file of that name. */
export function isDraftFile(name: string): boolean {
  return name === JOURNAL || name === FIRST_BASE || /^(?:base|from)-[\w-]{1,100}$/.test(name)
}

/** The version of the draft in a folder, which changes with each step; null where there is none. */
export function versionIn(place: string): string | null {
  try {
    return contentHash(readFileSync(join(place, JOURNAL)))
  } catch (thrown) {
    if (isGone(thrown)) return null
    throw thrown
  }
}

/** The files of the draft in a folder. Throws file system errors. */
export function filesIn(place: string): DraftFiles {
  const names = readdirSync(place).filter(isDraftFile).sort()
  return new Map(names.map((name) => [name, readFileSync(join(place, name))]))
}

/** Writes the files of a draft into a new folder beside the drafts, which a start removes; gives its path. */
export function stage(folder: string, name: string, files: DraftFiles): string {
  const place = join(folder, `.${name}-${randomBytes(4).toString('hex')}`)
  mkdirSync(place, { mode: 0o700 })
  for (const [file, bytes] of files) writeFileSync(join(place, file), bytes, { mode: 0o600, flag: 'wx' })
  return place
}

/** Puts a staged folder in the place of a draft. */
export function install(folder: string, name: string, staged: string): void {
  if (existsSync(join(folder, name))) removeFolder(folder, name)
  renameSync(staged, join(folder, name))
}

/** Moves the folder of a draft out of the way, for people; gives its new name. */
export function putAside(folder: string, name: string): string {
  const aside = `unread-${name}-${randomBytes(4).toString('hex')}`
  renameSync(join(folder, name), join(folder, aside))
  return aside
}

/** The draft of that name in a folder that others have written; null where it is another one, or none that is within the limits. */
export function readForeign(
  { readDraft }: DraftReader,
  name: string,
  place: string,
  limits: Limits,
): Loaded | null {
  try {
    const journal = readJournal(place)
    if (journal === null || folderName(journal.head.user, journal.head.path) !== name) return null
    if (!journal.steps.all.every((step) => isWithin(step, limits))) return null
    return readDraft(name, place)
  } catch {
    // One of its texts is missing, for example.
    return null
  }
}

function isWithin(step: Step, limits: Limits): boolean {
  return step.kind === 'edit' || countValues(step.value, toYamlLimits(limits)) !== null
}
