import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { valueAt } from '../change/apply.js'
import type { Json } from '../change/json.js'
import type { Merged } from '../change/merge.js'
import { widenedItems } from '../change/merge-widened.js'
import { decodeUtf8 } from '../document/decode.js'
import { markConflicts } from '../document/merge/mark-conflicts.js'
import { mergeMenuTexts, toMenuValue } from '../document/merge/merge-texts.js'
import { toVisible } from '../document/source.js'
import { isError } from '../model/problem.js'
import { toReason } from '../service/log.js'
import { type LineMerge, mergeFiles, mergeTexts, showsBase, type Versions } from '../store/git-merge.js'
import type { CommandContext, ConfigFlags } from './command.js'
import { describeConflict, toName } from './conflict-text.js'
import { loadDriverConfig } from './driver-config.js'
import { EXIT } from './exit-codes.js'
import { parseText } from './reading.js'

export interface MergeDriverFlags extends ConfigFlags {
  /** How many characters a mark of a conflict has. */
  readonly markerSize: number
}

/** The files that git gives to a merge driver, and the path of what is merged. */
export interface DriverFiles {
  readonly base: string
  /** Gets the result. */
  readonly ours: string
  readonly theirs: string
  readonly path: string
}

/**
 * `menuscript merge-driver`: merges a menu file for git (gitattributes, "Defining a custom merge driver"). Whatever
 * cannot be merged as a menu is left as git itself merges it. The exit code is 1 while there are conflicts.
 */
export async function mergeDriver(
  { terminal, folder, environment }: CommandContext,
  flags: MergeDriverFlags,
  files: DriverFiles,
): Promise<number> {
  const tell = (text: string): void => terminal.err(toVisible(text))
  const tellOf = (text: string): void => tell(`menuscript: ${files.path}: ${text}`)
  const paths = {
    base: resolve(folder, files.base),
    mine: resolve(folder, files.ours),
    theirs: resolve(folder, files.theirs),
  }
  const missing = Object.values(paths).find(
    (file) => statSync(file, { throwIfNoEntry: false })?.isFile() !== true,
  )
  if (missing !== undefined) {
    tell(`error: there is no file ${missing}; git calls this command with the three versions of a file`)
    return EXIT.usage
  }
  const bytes = {
    base: readFileSync(paths.base),
    mine: readFileSync(paths.mine),
    theirs: readFileSync(paths.theirs),
  }
  // Git itself takes 0 for its own size.
  const size = flags.markerSize || 7
  const lines = await mergeFiles(folder, paths, ['--marker-size', String(size)])
  const mark = hasByteOrderMark(bytes.mine) ? '\ufeff' : ''
  const write = (text: string): void => writeFileSync(paths.mine, mark + text)
  const leave = (reason: string): number => {
    tellOf(`${reason}; git merged its lines`)
    return lines?.isClean === true && !hasMarks(lines) ? EXIT.fine : EXIT.findings
  }
  try {
    // Whatever happens from here on: nothing of the other side is lost.
    if (lines !== null) writeFileSync(paths.mine, lines.bytes)
  } catch (thrown) {
    tell(`error: ${paths.mine} cannot be written: ${toReason(thrown)}`)
    return EXIT.configuration
  }
  try {
    const config = await loadDriverConfig(folder, flags.config ?? null, files.path, environment)
    if (config.problems.some(isError)) return leave('the configuration has an error (menuscript config)')
    const errorOf = (text: string): string | null => {
      const { menu, problems } = parseText(config, files.path, text)
      return menu === null ? (problems.find(isError)?.what ?? 'It cannot be read.') : null
    }
    const read = readVersions(bytes, errorOf)
    if (read.fault !== null) return leave(read.fault)
    const whole = lines?.isClean === true ? textOf(lines) : null
    const merged = await mergeMenuTexts(read.texts, read.values, whole, mergeTexts)
    const error = merged.fault ?? errorOf(merged.mine) ?? errorOf(merged.theirs)
    const widened = merged.fault === null ? widenedNames(merged.merged, read.values) : []
    for (const name of widened.slice(0, MANY)) {
      tellOf(`${name} is seen by viewers now who saw it on neither side; check it, then git add the file`)
    }
    if (merged.fault === null && error === null && merged.conflicts.length === 0) {
      write(merged.mine)
      // Nothing is marked, and git asks all the same: who sees what is for people to decide.
      return widened.length === 0 ? EXIT.fine : EXIT.findings
    }
    const style = { size, withBase: await showsBase(folder) }
    if (merged.fault !== null || error !== null) {
      const { base, mine, theirs } = read.texts
      write(markConflicts({ ours: mine, base, theirs }, style))
      tellOf(`what both sides changed does not go together (${error}); all of it is marked`)
    } else {
      const marked = markConflicts({ ours: merged.mine, base: merged.base, theirs: merged.theirs }, style)
      write(marked)
      const marks = countMarks(marked, size)
      if (marks > merged.conflicts.length)
        tellOf(`keep the same side at all ${marks} marks, as they belong together`)
      const told = merged.conflicts.slice(0, MANY).map((each) => describeConflict(each, read.values))
      for (const conflict of told) tellOf(conflict)
      const more = merged.conflicts.length - told.length
      if (more > 0) tellOf(`and ${more} more conflicts`)
    }
    return EXIT.findings
  } catch (thrown) {
    return leave(`it could not be merged as a menu, a bug of menuscript (${toReason(thrown)})`)
  }
}

/** So many conflicts are told one by one. */
const MANY = 10

function widenedNames(merged: Merged, { mine, theirs }: Versions<Json>): readonly string[] {
  return widenedItems(merged, mine, theirs).map((pointer) => toName(valueAt(merged.value, pointer)))
}

function countMarks(text: string, size: number): number {
  return text.split('\n').filter((line) => line.startsWith(`${'<'.repeat(size)} `)).length
}

type Read =
  | { readonly fault: null; readonly texts: Versions<string>; readonly values: Versions<Json> }
  | { readonly fault: string }

const NAMES: Versions<string> = { base: 'the version before', mine: 'our version', theirs: 'their version' }

/** Reads the three versions as menus; one that is empty was not there yet, since git gives an empty file for it. */
function readVersions(bytes: Versions<Uint8Array>, errorOf: (text: string) => string | null): Read {
  const texts: { -readonly [side in keyof Versions<string>]: string } = { base: '', mine: '', theirs: '' }
  const values: { -readonly [side in keyof Versions<Json>]: Json } = { base: {}, mine: {}, theirs: {} }
  for (const side of ['base', 'mine', 'theirs'] as const) {
    if (side === 'base' && bytes.base.length === 0) continue
    const { text } = decodeUtf8(bytes[side])
    if (text === null) return { fault: `${NAMES[side]} is not UTF-8` }
    const error = errorOf(text)
    const value = error === null ? toMenuValue(text) : undefined
    if (value === undefined) return { fault: `${NAMES[side]} has an error (${error ?? 'it cannot be read'})` }
    texts[side] = text
    values[side] = value
  }
  return { fault: null, texts, values }
}

/** A text without its byte order mark. */
function textOf({ bytes }: LineMerge): string {
  return new TextDecoder().decode(bytes)
}

function hasByteOrderMark([first, second, third]: Uint8Array): boolean {
  return first === 0xef && second === 0xbb && third === 0xbf
}

/** Marks that stood in one of the versions already, where git itself sees no conflict. */
function hasMarks(lines: LineMerge): boolean {
  return /^(?:<{7,}|>{7,}) /m.test(textOf(lines))
}
