import type { Json } from '../change/json.js'
import type { Config } from '../config/load-config.js'
import { type MenuDocument, readDocument } from '../document/menu-document.js'
import { judgeDocument } from '../document/parse.js'
import { toVisible } from '../document/source.js'
import { toContextKey } from '../model/context.js'
import { isError } from '../model/problem.js'
import { toBlameReport } from '../review/history/blame-report.js'
import { toBlameJson, toBlameText } from '../review/history/blame-text.js'
import { type FoundMenu, findOne } from '../review/history/find-menu.js'
import { type MenusRepository, momentAt, openMenusRepository, toTree } from '../review/history/moment.js'
import { type MenuText, variantsOf } from '../review/history/variants.js'
import { toPlainJson } from '../review/plain-json.js'
import { toParseOptions } from '../review/reading.js'
import { isCutOff, mergeHeadOf } from '../store/git/log.js'
import { toCommit } from '../store/git/revision.js'
import { type BlameStart, blameItems } from '../store/history/menu-blame.js'
import { createMenuHistory, type MenuHistory, type MenuVersion } from '../store/history/menu-history.js'
import { type CommandContext, fail, need, needConfig, reportProblems } from './command.js'
import { EXIT } from './exit-codes.js'
import { type MenuFlags, toWanted } from './flag-values.js'

export interface BlameFlags extends MenuFlags {
  /** Print every commit that a field is of, not only the last one of each author. */
  readonly fields: boolean
  readonly json: boolean
}

/** `menuscript blame`: prints who last changed each item of a menu, when, and in which fields. */
export async function blame(context: CommandContext, flags: BlameFlags, code: string): Promise<number> {
  const { terminal, folder } = context
  const config = await needConfig(context, flags)
  const menus = need(context, await openMenusRepository(config))
  const found = need(context, await findOne(config, folder, toWanted(context, flags, code)))
  const document = readDocument(found.place, found.text.bytes, config.options.limits)
  const { value, lineOf } = document
  if (value === null) {
    reportProblems(terminal, document.problems)
    const todo =
      found.commit === null ? 'Fix it, or ask for what is committed: --at HEAD' : 'Ask for another version'
    return fail(context, EXIT.configuration, `${found.place} cannot be read. ${todo}`)
  }
  reportError(context, config, document)
  const history = createMenuHistory(menus.repository, config.options.limits)
  const start = await toStart(context, config, menus, history, found, value)
  const origins = await blameItems(
    history,
    start,
    (commit) => isCutOff(menus.repository, commit),
    (versions) => terminal.progress(`reading version ${versions}`),
  )
  terminal.progress(null)
  const { locales } = config.options
  const report = toBlameReport({
    code,
    place: found.place,
    commit: found.commit,
    value,
    origins,
    lineOf,
    locales,
  })
  const { paintOut } = terminal
  terminal.out(flags.json ? toPlainJson(toBlameJson(report), 2) : toBlameText(report, paintOut, flags.fields))
  if (report.items.some(({ fields }) => fields.some(({ kind }) => kind === 'unknown')))
    terminal.err('note: what is older than this clone is unknown; git fetch --unshallow brings it')
  return EXIT.fine
}

/** A file with errors that can be read all the same is explained, and the first error reported. */
function reportError({ terminal }: CommandContext, config: Config, document: MenuDocument): void {
  const { menu, problems } = judgeDocument(document, toParseOptions(config))
  const first = problems.find(isError)
  if (menu === null && first !== undefined)
    terminal.err(toVisible(`note: ${document.path}:${first.line}:${first.column} is broken: ${first.what}`))
}

/** Where to begin: with the version of a commit, or with the work tree over what is checked out, both sides of a merge. */
async function toStart(
  context: CommandContext,
  config: Config,
  menus: MenusRepository,
  history: MenuHistory,
  found: FoundMenu,
  value: Json,
): Promise<BlameStart> {
  const { repository } = menus
  const { commit, text } = found
  const path = toTree(menus, text.path)
  if (commit !== null) {
    const version = await history.latest(commit, path)
    return { value, version, before: version === null ? [] : await history.before(version) }
  }
  const head = (await toCommit(repository, 'HEAD')).value
  const merged = await mergeHeadOf(repository)
  if (merged !== null)
    context.terminal.err('note: a merge is in progress: what neither side has is told as not committed yet')
  const before: MenuVersion[] = []
  for (const side of [head, merged]) {
    const version = side === null ? null : await latestOn(context, config, menus, history, found, side)
    if (version !== null) before.push(version)
  }
  return { value, version: null, before }
}

/** The version that a commit has of the menu of a file of the work tree, in whatever file it was there. */
async function latestOn(
  context: CommandContext,
  config: Config,
  menus: MenusRepository,
  history: MenuHistory,
  { text }: FoundMenu,
  commit: string,
): Promise<MenuVersion | null> {
  const { value: moment } = await momentAt(menus, config, commit)
  const isMoved = moment !== null && !moment.texts.texts.has(text.path)
  const { code, context: wanted } = text.claim
  const all = { code, context: null, file: null }
  const variants = isMoved ? variantsOf(moment, context.folder, all).value : []
  const isSame = ({ claim }: MenuText): boolean =>
    claim.context !== null && wanted !== null && toContextKey(claim.context) === toContextKey(wanted)
  const [only, second] = variants?.filter(isSame) ?? []
  const path = only !== undefined && second === undefined ? only.path : text.path
  return history.latest(commit, toTree(menus, path))
}
