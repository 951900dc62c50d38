import { relative, resolve } from 'node:path'
import { readDocument } from '../../document/menu-document.js'
import { type Claim, claimOf } from '../../document/read/claim.js'
import { toVisible } from '../../document/source.js'
import { describeContext, NO_CONTEXT, toContextKey } from '../../model/context.js'
import type { Context } from '../../model/menu.js'
import { compareText } from '../../model/problem.js'
import { done } from '../../model/result.js'
import { type Answer, refuse } from '../answer.js'
import { toSeen, toSlashes } from '../seen-path.js'
import { toShellWord } from '../shell-word.js'
import type { Moment } from './moment.js'

/** A file of a menu at some moment. */
export interface MenuText {
  /** From the menus folder, with `/`. */
  readonly path: string
  /** As it is seen from the folder that the command runs in. */
  readonly seen: string
  readonly bytes: Uint8Array
  readonly claim: Claim
}

/** The variants of a menu that are asked for. */
export interface Variant {
  readonly code: string
  /** The context of one variant; null for all. */
  readonly context: Context | null
  /** The file of one variant; null for all. */
  readonly file: string | null
}

/** The files of the variants of a menu that are asked for; `folder` is where paths are seen from. */
export function variantsOf(
  { config, texts, revision }: Moment,
  folder: string,
  { code, context, file }: Variant,
): Answer<readonly MenuText[]> {
  const { limits } = config.options
  const found: MenuText[] = []
  for (const [path, bytes] of texts.texts) {
    // Reading each file costs more than looking for the code in it.
    const claim = Buffer.from(bytes).includes(code) ? claimOf(readDocument(path, bytes, limits)) : null
    if (claim?.code === code)
      found.push({ path, seen: toSeen(folder, config.menusFolder, path), bytes, claim })
  }
  found.sort((a, b) => compareText(a.path, b.path))
  if (found.length === 0) return done([])
  const when = toWhen(revision)
  const list = toList(found)
  if (file !== null) {
    const path = toSlashes(relative(config.menusFolder, resolve(folder, file)))
    const own = found.filter((each) => each.path === path)
    if (own.length > 0) return done(own)
    return refuse('bad-request', `${file} is not a file of the menu ${code} ${when}${list}`)
  }
  if (context === null) return done(found)
  const equal = found.filter(({ claim }) => toKey(claim) === toContextKey(context))
  if (equal.length > 0) return done(equal)
  const what = `no variant of ${code} has ${describeContext(context)} ${when}`
  return refuse('not-found', `${what}${list}`)
}

/** Of several variants the one that answers a request without contexts; a refusal where it cannot be told. */
export function toOnlyVariant(variants: readonly MenuText[], code: string): Answer<MenuText> {
  const plain = variants.filter(({ claim }) => toKey(claim) === NO_CONTEXT)
  const [only, second] = plain.length > 0 ? plain : variants
  if (only !== undefined && second === undefined) return done(only)
  const broken = variants.find(({ claim }) => claim.context === null)
  if (plain.length === 0 && broken !== undefined) {
    // It may be the one without a context.
    const fix = hasConflict(broken) ? 'resolve it first' : 'fix it first'
    const message = `${broken.seen} is broken: ${fix}, or ask for another file of ${code}${toList(variants)}`
    return refuse('unusable', message)
  }
  const alike = plain.length > 1
  const advice = alike ? 'Say which with --file' : 'Say which with --context or --file'
  return refuse('bad-request', `${code} has several files. ${advice}${toList(variants)}`)
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
