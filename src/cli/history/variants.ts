import { relative, resolve } from 'node:path'
import { type Claim, claimOf } from '../../document/read/claim.js'
import { toVisible } from '../../document/source.js'
import { describeContext, NO_CONTEXT, toContextKey } from '../../model/context.js'
import { compareText } from '../../model/problem.js'
import { type CommandContext, toSeen, toSlashes } from '../command.js'
import { EXIT } from '../exit-codes.js'
import { readContext } from '../flag-values.js'
import { toShellWord } from '../shell-word.js'
import type { MenuFlags, Moment, Refusal } from './moment.js'

/** A file of a menu at some moment. */
export interface MenuText {
  /** From the menus folder, with `/`. */
  readonly path: string
  /** As it is seen from the folder that the command runs in. */
  readonly seen: string
  readonly bytes: Uint8Array
  readonly claim: Claim
}

/** The files of the variants of a menu that are meant: with `--context` or `--file` one, else all. */
export function variantsOf(
  { folder }: CommandContext,
  { config, texts, revision }: Moment,
  code: string,
  flags: MenuFlags,
): readonly MenuText[] | Refusal {
  const { limits } = config.options
  const context = flags.context === undefined ? null : readContext(flags.context)
  if (typeof context === 'string') return { message: context, exit: EXIT.usage }
  const found: MenuText[] = []
  for (const [path, bytes] of texts.texts) {
    // Reading each file costs more than looking for the code in it.
    const claim = Buffer.from(bytes).includes(code) ? claimOf(bytes, limits) : null
    if (claim?.code === code)
      found.push({ path, seen: toSeen(folder, config.menusFolder, path), bytes, claim })
  }
  found.sort((a, b) => compareText(a.path, b.path))
  if (found.length === 0) return []
  const when = toWhen(revision)
  const list = toList(found)
  if (flags.file !== undefined) {
    const path = toSlashes(relative(config.menusFolder, resolve(folder, flags.file)))
    const own = found.filter((each) => each.path === path)
    if (own.length > 0) return own
    return {
      message: `${flags.file} is no file of the menu ${code} ${when}${list}`,
      exit: EXIT.usage,
    }
  }
  if (context === null) return found
  const equal = found.filter(({ claim }) => toKey(claim) === toContextKey(context))
  if (equal.length > 0) return equal
  const what = `no variant of ${code} has ${describeContext(context)} ${when}`
  return { message: `${what}${list}`, exit: EXIT.findings }
}

/** Of several variants the one that answers a request without contexts; a refusal where it cannot be told. */
export function toOnlyVariant(variants: readonly MenuText[], code: string): MenuText | Refusal {
  const plain = variants.filter(({ claim }) => toKey(claim) === NO_CONTEXT)
  const [only, second] = plain.length > 0 ? plain : variants
  if (only !== undefined && second === undefined) return only
  const broken = variants.find(({ claim }) => claim.context === null)
  if (plain.length === 0 && broken !== undefined) {
    // It may be the one without a context.
    const fix = hasConflict(broken) ? 'resolve it first' : 'fix it first'
    const message = `${broken.seen} is broken: ${fix}, or ask for another file of ${code}${toList(variants)}`
    return { message, exit: EXIT.configuration }
  }
  const alike = plain.length > 1
  const advice = alike ? 'Say which with --file' : 'Say which with --context or --file'
  return { message: `${code} has several files. ${advice}${toList(variants)}`, exit: EXIT.usage }
}

/** Whether git left its marks in a file. */
function hasConflict({ bytes }: MenuText): boolean {
  return /^<{7} /m.test(Buffer.from(bytes).toString())
}

function toKey({ context }: Claim): string | null {
  return context === null ? null : toContextKey(context)
}

function toList(variants: readonly MenuText[]): string {
  const told = variants.map((variant) => toVisible(`  ${variant.seen}  ${toFlag(variant, variants)}`))
  return `; there are:\n${told.join('\n')}`
}

/** The flag that names a variant among others: by its context, and by its file where that is not known or not the only one. */
function toFlag({ seen, claim }: MenuText, variants: readonly MenuText[]): string {
  const { context } = claim
  const alike = variants.filter((other) => toKey(other.claim) === toKey(claim))
  if (context === null || alike.length > 1) return `--file ${toShellWord(seen)}`
  return `--context ${toShellWord(JSON.stringify(context))}`
}

/** A moment at the end of a sentence. */
export function toWhen(revision: string | null): string {
  return revision === null ? 'in the work tree' : `at ${revision}`
}
