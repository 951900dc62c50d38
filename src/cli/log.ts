import { relative, resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Config } from '../config/load-config.js'
import { parseMenuFile } from '../document/parse.js'
import { compareText, isError } from '../model/problem.js'
import { done } from '../model/result.js'
import { type Answer, answerOf } from '../review/answer.js'
import { toAbsence } from '../review/history/absence.js'
import { type FileChange, type LogEntry, toLogJson, toLogText } from '../review/history/log-text.js'
import {
  type MenusRepository,
  type Moment,
  momentAt,
  openMenusRepository,
  toTree,
} from '../review/history/moment.js'
import { type MenuText, variantsOf } from '../review/history/variants.js'
import { toPlainJson } from '../review/plain-json.js'
import { toParseOptions } from '../review/reading.js'
import { toSlashes } from '../review/seen-path.js'
import { isBefore, isCutOff, mergeHeadOf, toSeconds } from '../store/git/log.js'
import { createMenuHistory, type MenuHistory } from '../store/history/menu-history.js'
import { changesOf, type LoggedChange } from '../store/history/menu-log.js'
import { type CommandContext, need, needConfig } from './command.js'
import { EXIT } from './exit-codes.js'
import { type MenuFlags, toWanted } from './flag-values.js'

export interface LogFlags extends MenuFlags {
  /** Tell at most so many commits. */
  readonly limit: number
  /** Tell no commits before this time, in words that git understands. */
  readonly since?: string | undefined
  readonly json: boolean
}

/** Files whose history is opened side by side: each costs a few calls of git. */
const AT_ONCE = 8

/** `menuscript log`: tells the commits that changed a menu, and what each did. */
export async function log(context: CommandContext, flags: LogFlags, code: string): Promise<number> {
  const { terminal, folder } = context
  const config = await needConfig(context, flags)
  const menus = need(context, await openMenusRepository(config))
  const moment = need(context, await momentAt(menus, config, flags.at ?? 'HEAD'))
  const variants = need(context, variantsOf(moment, folder, toWanted(context, flags, code)))
  if (variants.length === 0) return need(context, await toAbsence(moment, code, menus))
  if (flags.at === undefined && (await mergeHeadOf(menus.repository)) !== null)
    terminal.err(
      'note: a merge is in progress: this is the history of HEAD, and --at MERGE_HEAD has the other',
    )
  const since = need(context, await toStart(menus, flags.since))
  const history = createMenuHistory(menus.repository, config.options.limits)
  const trails = await openTrails(context, history, menus, moment, variants)
  const entries: LogEntry[] = []
  let isMore = false
  for (let next = await toNewest(menus, trails); next !== null; next = await toNewest(menus, trails)) {
    const { version } = next.change
    const known = entries.find(({ commit }) => commit.name === version.commit.name)
    if (version.commit.seconds < since) break
    isMore = known === undefined && entries.length >= flags.limit
    if (isMore) break
    const change = await toFileChange(context, config, menus, history, next.change)
    if (known === undefined) entries.push({ commit: version.commit, changes: [change] })
    else entries[entries.indexOf(known)] = { ...known, changes: [...known.changes, change] }
    terminal.progress(`reading commit ${entries.length}`)
    await next.advance()
    await setImmediate()
  }
  terminal.progress(null)
  const last = entries.at(-1)
  const isCut = !isMore && last !== undefined && (await isCutOff(menus.repository, last.commit.name))
  const sorted = entries.map((entry) => ({
    ...entry,
    changes: [...entry.changes].sort((a, b) => compareText(a.file, b.file)),
  }))
  const told = { code, entries: sorted, isMore, isCut }
  terminal.out(flags.json ? toPlainJson(toLogJson(told), 2) : toLogText(told, terminal.paintOut))
  if (isMore) terminal.err(`note: there are older ones; --limit ${Math.max(1, flags.limit) * 2} shows more`)
  if (isCut)
    terminal.err('note: the history of this clone begins here; git fetch --unshallow brings what was before')
  return EXIT.fine
}

async function toStart({ repository }: MenusRepository, since: string | undefined): Promise<Answer<number>> {
  if (since === undefined) return done(Number.NEGATIVE_INFINITY)
  return answerOf(await toSeconds(repository, since), 'bad-request')
}

/** The changes of one file, the newest that was not told yet in front. */
interface Trail {
  change: LoggedChange
  readonly advance: () => Promise<void>
}

async function openTrails(
  { terminal }: CommandContext,
  history: MenuHistory,
  menus: MenusRepository,
  moment: Moment,
  variants: readonly MenuText[],
): Promise<Set<Trail>> {
  const trails = new Set<Trail>()
  for (let place = 0; place < variants.length; place += AT_ONCE) {
    const some = variants.slice(place, place + AT_ONCE)
    await Promise.all(some.map((variant) => openTrail(trails, history, menus, moment, variant)))
    terminal.progress(`reading file ${place + some.length} of ${variants.length}`)
  }
  return trails
}

async function openTrail(
  trails: Set<Trail>,
  history: MenuHistory,
  menus: MenusRepository,
  { commit, config }: Moment,
  { path }: MenuText,
): Promise<void> {
  const start = await history.latest(commit ?? 'HEAD', toTree(menus, path))
  if (start === null) return
  const changes = changesOf(history, start, config.options.locales)
  const first = await changes.next()
  if (first.done) return
  const trail: Trail = {
    change: first.value,
    advance: async () => {
      const next = await changes.next()
      if (next.done) trails.delete(trail)
      else trail.change = next.value
    },
  }
  trails.add(trail)
}

/** The trail whose newest change comes first in a list whose newest is on top: commits of one second by their descent. */
async function toNewest({ repository }: MenusRepository, trails: ReadonlySet<Trail>): Promise<Trail | null> {
  let newest: Trail | null = null
  for (const trail of trails) {
    const [a, b] = [trail.change.version.commit, newest?.change.version.commit]
    const isTie = a.seconds === b?.seconds && a.name !== b.name
    const isNewer =
      b === undefined || a.seconds > b.seconds || (isTie && (await isBefore(repository, b.name, a.name)))
    if (isNewer) newest = trail
  }
  return newest
}

async function toFileChange(
  { folder }: CommandContext,
  config: Config,
  { repository }: MenusRepository,
  history: MenuHistory,
  { version, from, what, summary }: LoggedChange,
): Promise<FileChange> {
  const seen = (path: string): string => toSlashes(relative(folder, resolve(repository.root, path)))
  const file = seen(version.path)
  const bytes = await history.bytes(version)
  const options = toParseOptions(config)
  const problems = bytes === null ? [] : parseMenuFile(file, bytes, options).problems
  return {
    file,
    from: from === null ? null : seen(from),
    what,
    summary,
    error: problems.find(isError) ?? null,
  }
}
