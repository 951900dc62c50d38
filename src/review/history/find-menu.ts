import { relative, resolve } from 'node:path'
import { judgeDocument } from '../../document/parse.js'
import type { Claim } from '../../document/read/claim.js'
import { toVisible } from '../../document/source.js'
import { describeContext, NO_CONTEXT, toContextKey } from '../../model/context.js'
import type { Context, Menu } from '../../model/menu.js'
import { compareText, isError, type Problem } from '../../model/problem.js'
import { toParseOptions } from '../reading.js'
import { refuse } from '../refusal.js'
import { toShellWord } from '../shell-word.js'
import { type MenusRepository, type Site, toSeen, toSlashes, toTree } from '../site.js'
import { refuseAbsent, toNearestCode, toWhen } from './absence.js'
import { type Moment, momentAt, momentNow, type TextWithCode, textsAt, textsWithCode } from './menus-at.js'

/** A file of a menu at some moment; its path starts at the menus folder. */
export interface MenuText extends TextWithCode {
  /** The path as seen from where the command runs. */
  readonly seen: string
}

/** The wanted variants of a menu, and their moment. */
export interface Wanted {
  readonly code: string
  /** The context of one variant; null for all. */
  readonly context: Context | null
  /** The file of one variant; null for all. */
  readonly file: string | null
  /** A revision; null for the work tree. */
  readonly at: string | null
}

/** The one wanted file of a menu, and the name of its place: `REV:path`, or as seen from here. */
export interface FoundMenu {
  readonly text: MenuText
  readonly place: string
  /** Null for the work tree. */
  readonly commit: string | null
  /** Null where it has errors. */
  readonly menu: Menu | null
  /** Placed there. */
  readonly problems: readonly Problem[]
}

/** Finds the one wanted file of a menu. `menus` is null where the work tree is not in a repository. */
export async function findOne(site: Site, menus: MenusRepository | null, wanted: Wanted): Promise<FoundMenu> {
  const { code, at } = wanted
  const { moment, variants } = await findVariants(site, menus, wanted)
  const text = toOnlyVariant(variants, code)
  const place = at === null || menus === null ? text.seen : `${at}:${toTree(menus, text.path)}`
  const { menu, problems } = judgeDocument(text.document, toParseOptions(site))
  const placed = problems.map((problem) => ({ ...problem, path: place }))
  return { text, place, commit: moment.commit, menu, problems: placed }
}

/** Finds the files of the wanted variants of a menu; there is one or more. */
export async function findVariants(
  site: Site,
  menus: MenusRepository | null,
  wanted: Wanted,
): Promise<{ readonly moment: Moment; readonly variants: readonly MenuText[] }> {
  const { code, at } = wanted
  const moment = at === null || menus === null ? await momentNow(site) : await momentAt(menus, at)
  const variants = await variantsOf(moment, wanted)
  if (variants.length > 0) return { moment, variants }
  if (menus !== null) return refuseAbsent(moment, code, menus)
  const what = `there is no menu ${JSON.stringify(code)}`
  return refuse('findings', `${what}${await toNearestCode(code, moment)}`)
}

/** A note on the first error of a file; null for none. */
export function errorNote({ place, problems }: FoundMenu): string | null {
  const error = problems.find(isError)
  return error === undefined
    ? null
    : toVisible(`${place}:${error.line}:${error.column} is broken: ${error.what}`)
}

/** The files of a menu at a moment, by their paths. */
async function filesOf(moment: Moment, code: string): Promise<readonly MenuText[]> {
  const { site } = moment
  const found: MenuText[] = []
  for await (const text of textsWithCode(code, textsAt(moment), site.options.limits))
    found.push({ ...text, seen: toSeen(site, text.path) })
  return found.sort((a, b) => compareText(a.path, b.path))
}

/** The file in which a moment has the menu of a file of the work tree. */
export async function pathIn(moment: Moment, { path, claim }: MenuText): Promise<string> {
  if (moment.tree?.entries.has(path) || claim.context === null) return path
  const [only, second] = (await filesOf(moment, claim.code)).filter(
    (each) => toKey(each.claim) === toKey(claim),
  )
  return only !== undefined && second === undefined ? only.path : path
}

/** The files of the wanted variants of a menu; none where there is no menu with the code. */
async function variantsOf(moment: Moment, { code, context, file }: Wanted): Promise<readonly MenuText[]> {
  const { site, revision } = moment
  const found = await filesOf(moment, code)
  if (found.length === 0) return []
  const when = toWhen(revision)
  const list = toList(found)
  if (file !== null) {
    const path = toSlashes(relative(site.menusFolder, resolve(site.folder, file)))
    const own = found.filter((each) => each.path === path)
    if (own.length > 0) return own
    return refuse('usage', `${file} is not a file of the menu ${code} ${when}${list}`)
  }
  if (context === null) return found
  const equal = found.filter(({ claim }) => toKey(claim) === toContextKey(context))
  if (equal.length > 0) return equal
  const what = `no variant of ${code} has ${describeContext(context)} ${when}`
  return refuse('findings', `${what}${list}`)
}

/** Among several variants the one that answers a request without contexts; refused where that is not clear. */
function toOnlyVariant(variants: readonly MenuText[], code: string): MenuText {
  const plain = variants.filter(({ claim }) => toKey(claim) === NO_CONTEXT)
  const [only, second] = plain.length > 0 ? plain : variants
  if (only !== undefined && second === undefined) return only
  const broken = variants.find(({ claim }) => claim.context === null)
  if (plain.length === 0 && broken !== undefined) {
    // It may be the one without a context.
    const hasConflict = /^<{7} /m.test(Buffer.from(broken.document.bytes).toString())
    const fix = hasConflict ? 'resolve it first' : 'fix it first'
    const message = `${broken.seen} is broken: ${fix}, or choose another file of ${code}${toList(variants)}`
    return refuse('configuration', message)
  }
  const advice = plain.length > 1 ? 'Say which with --file' : 'Say which with --context or --file'
  return refuse('usage', `${code} has several files. ${advice}${toList(variants)}`)
}

function toKey({ context }: Claim): string | null {
  return context === null ? null : toContextKey(context)
}

/** The variants, each with the flag that names it: by its context, or by its file where that is unknown or not unique. */
function toList(variants: readonly MenuText[]): string {
  const rows = variants.map(({ seen, claim }) => {
    const alike = variants.filter((other) => toKey(other.claim) === toKey(claim))
    const { context } = claim
    const flag =
      context === null || alike.length > 1
        ? `--file ${toShellWord(seen)}`
        : `--context ${toShellWord(JSON.stringify(context))}`
    return toVisible(`  ${seen}  ${flag}`)
  })
  return `; there are:\n${rows.join('\n')}`
}
