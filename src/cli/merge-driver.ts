import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { toVisible } from '../document/source.js'
import { isError } from '../model/problem.js'
import { loadDriverConfig } from '../review/merge/driver-config.js'
import { type MergeOutcome, mergeAsMenus } from '../review/merge/merge-outcome.js'
import { refuse } from '../review/refusal.js'
import { toReason } from '../service/log.js'
import { type LineMerge, mergeLines, showsBase } from '../store/git/merge.js'
import { createGit } from '../store/git/process.js'
import type { CommandContext, Flags } from './command.js'
import type { Ending } from './exit-codes.js'

type MergeDriverFlags = Flags<'ancestor'> & { readonly markerSize: number }

/**
 * `menuscript merge-driver`: merges a menu file for git (gitattributes, "Defining a custom merge driver"). Whatever
 * cannot be merged as a menu is left as git itself merges it. The exit code is 1 while there are conflicts.
 *
 * @param ours gets the result
 * @param path what is merged, for messages
 */
export async function mergeDriver(
  context: CommandContext,
  flags: MergeDriverFlags,
  base: string,
  ours: string,
  theirs: string,
  path: string,
): Promise<Ending> {
  const { terminal, folder, environment } = context
  const report = (text: string): void => {
    if (!flags.ancestor) terminal.err(toVisible(`menuscript: ${path}: ${text}`))
  }
  const paths = {
    base: resolve(folder, base),
    mine: resolve(folder, ours),
    theirs: resolve(folder, theirs),
  }
  const isFile = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isFile() === true
  const missing = Object.values(paths).find((file) => !isFile(file))
  if (missing !== undefined) {
    const what = `there is no file ${toVisible(missing)}`
    refuse('usage', `${what}; git calls this command with the three versions of a file`)
  }
  const bytes = {
    base: readFileSync(paths.base),
    mine: readFileSync(paths.mine),
    theirs: readFileSync(paths.theirs),
  }
  // Git itself takes 0 for its own size.
  const markerSize = flags.markerSize || 7
  const git = createGit(folder)
  const lines = await mergeLines(git, paths, ['--marker-size', String(markerSize)])
  try {
    // If anything fails later, nothing of the other side is lost.
    if (lines !== null) writeFileSync(paths.mine, lines.bytes)
  } catch (thrown) {
    const what = `${toVisible(paths.mine)} cannot be written`
    refuse('configuration', `${what}: ${toReason(thrown)}`)
  }
  const outcome = await attempt(async () => {
    const config = await loadDriverConfig(folder, flags.config ?? null, path, environment)
    if (config.problems.some(isError)) return { left: 'the configuration has an error (menuscript config)' }
    const merged = await mergeAsMenus(bytes, {
      config,
      path,
      whole: lines?.isClean === true ? textOf(lines) : null,
      isAncestor: flags.ancestor,
      markerSize,
      showsBase: () => showsBase(git),
    })
    if (merged.left === null) writeFileSync(paths.mine, merged.text)
    return merged
  })
  if (outcome.left !== null) {
    report(`${outcome.left}; git merged its lines`)
    return lines?.isClean === true && !hasMarks(lines) ? 'fine' : 'findings'
  }
  outcome.lines.forEach(report)
  return outcome.isClean ? 'fine' : 'findings'
}

/** A bug must not stop a merge: what git makes of the lines is there already. */
async function attempt(merge: () => Promise<MergeOutcome>): Promise<MergeOutcome> {
  try {
    return await merge()
  } catch (thrown) {
    return { left: `it could not be merged as a menu, a bug in menuscript (${toReason(thrown)})` }
  }
}

/** A text without its byte order mark. */
function textOf({ bytes }: LineMerge): string {
  return new TextDecoder().decode(bytes)
}

/** Marks that one of the versions had already, where git itself sees no conflict. */
function hasMarks(lines: LineMerge): boolean {
  return /^(?:<{7,}|>{7,}) /m.test(textOf(lines))
}
