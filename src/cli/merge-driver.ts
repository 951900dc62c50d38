import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { toVisible } from '../document/source.js'
import { isError } from '../model/problem.js'
import { loadDriverConfig } from '../review/merge/driver-config.js'
import { type MergeOutcome, mergeAsMenus } from '../review/merge/merge-outcome.js'
import { toReason } from '../service/log.js'
import { type LineMerge, mergeFiles, showsBase } from '../store/git/merge.js'
import type { CommandContext, ConfigFlags } from './command.js'
import { EXIT } from './exit-codes.js'

export interface MergeDriverFlags extends ConfigFlags {
  /** How many characters a mark of a conflict has. */
  readonly markerSize: number
  /** Whether this makes one version to begin from out of several, which nobody sees (gitattributes, `recursive`). */
  readonly ancestor: boolean
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
  const reportLine = (text: string): void => terminal.err(toVisible(text))
  const report = (text: string): void => {
    if (!flags.ancestor) reportLine(`menuscript: ${files.path}: ${text}`)
  }
  const paths = {
    base: resolve(folder, files.base),
    mine: resolve(folder, files.ours),
    theirs: resolve(folder, files.theirs),
  }
  const missing = Object.values(paths).find(
    (file) => statSync(file, { throwIfNoEntry: false })?.isFile() !== true,
  )
  if (missing !== undefined) {
    reportLine(`error: there is no file ${missing}; git calls this command with the three versions of a file`)
    return EXIT.usage
  }
  const bytes = {
    base: readFileSync(paths.base),
    mine: readFileSync(paths.mine),
    theirs: readFileSync(paths.theirs),
  }
  // Git itself takes 0 for its own size.
  const markerSize = flags.markerSize || 7
  const lines = await mergeFiles(folder, paths, ['--marker-size', String(markerSize)])
  try {
    // Whatever happens from here on: nothing of the other side is lost.
    if (lines !== null) writeFileSync(paths.mine, lines.bytes)
  } catch (thrown) {
    reportLine(`error: ${paths.mine} cannot be written: ${toReason(thrown)}`)
    return EXIT.configuration
  }
  const outcome = await attempt(async () => {
    const config = await loadDriverConfig(folder, flags.config ?? null, files.path, environment)
    if (config.problems.some(isError)) return { left: 'the configuration has an error (menuscript config)' }
    const whole = lines?.isClean === true ? textOf(lines) : null
    const request = {
      config,
      path: files.path,
      whole,
      isAncestor: flags.ancestor,
      markerSize,
      showsBase: () => showsBase(folder),
    }
    const merged = await mergeAsMenus(bytes, request)
    const mark = hasByteOrderMark(bytes.mine) ? '\ufeff' : ''
    if (merged.left === null) writeFileSync(paths.mine, mark + merged.text)
    return merged
  })
  if (outcome.left !== null) {
    report(`${outcome.left}; git merged its lines`)
    return lines?.isClean === true && !hasMarks(lines) ? EXIT.fine : EXIT.findings
  }
  for (const line of outcome.lines) report(line)
  return outcome.isClean ? EXIT.fine : EXIT.findings
}

/** A bug must not stop a merge: what git makes of the lines is there already. */
async function attempt(merge: () => Promise<MergeOutcome>): Promise<MergeOutcome> {
  try {
    return await merge()
  } catch (thrown) {
    return { left: `it could not be merged as a menu, a bug of menuscript (${toReason(thrown)})` }
  }
}

/** A text without its byte order mark. */
function textOf({ bytes }: LineMerge): string {
  return new TextDecoder().decode(bytes)
}

function hasByteOrderMark([first, second, third]: Uint8Array): boolean {
  return first === 0xef && second === 0xbb && third === 0xbf
}

/** Marks that one of the versions had already, where git itself sees no conflict. */
function hasMarks(lines: LineMerge): boolean {
  return /^(?:<{7,}|>{7,}) /m.test(textOf(lines))
}
