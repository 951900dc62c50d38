import type { Config } from '../config/load-config.js'
import type { Context } from '../model/menu.js'
import type { Problem } from '../model/problem.js'
import type { Snapshot } from '../model/snapshot.js'
import type { ExplainQuery } from '../service/explain/explain.js'
import type { Explanation } from '../service/explain/explanation.js'
import { HookError, type MenuRequest } from '../service/hooks.js'
import { toReason } from '../service/log.js'
import { readMenusAt } from '../store/git/menus.js'
import { toCommit } from '../store/git/revision.js'
import type { ReadOptions } from '../store/read-options.js'
import { type CommandContext, type ConfigFlags, loadConfigOrTell, tellProblems, toSeen } from './command.js'
import { EXIT } from './exit-codes.js'
import { toExplanationText } from './explain-text.js'
import { readContexts, readParams, toKeys } from './flag-values.js'
import {
  isRefusal,
  openMenusRepository,
  type Refusal,
  tellRefusal,
  toReach,
  toRefusal,
  toTree,
} from './history/moment.js'
import { toPlainJson } from './plain-json.js'

export interface ExplainFlags extends ConfigFlags {
  readonly locale?: string | undefined
  /** As JSON. */
  readonly contextSets?: string | undefined
  /** Separated by commas. */
  readonly permissions?: string | undefined
  /** `Name: value`, for the hooks. */
  readonly header?: readonly string[] | undefined
  /** The address of the page, for the hooks. */
  readonly url?: string | undefined
  /** Route parameters of the page, as JSON. */
  readonly params?: string | undefined
  /** A revision; without it, the menus folder as it is. */
  readonly at?: string | undefined
  readonly json: boolean
}

/** Gives the menus of another moment, read as files of the deployment are. */
export type SnapshotOf = (reading: ReadOptions) => Promise<Snapshot>

/** Opens the menus of a configuration, or has them given, and explains one request. */
export type ExplainRequest = (
  config: Config,
  request: MenuRequest,
  query: ExplainQuery,
  snapshotOf: SnapshotOf | null,
) => Promise<{ readonly explanation: Explanation | null; readonly problems: readonly Problem[] }>

/** `menuscript explain`: says why a request gets what it gets; 1 when no menu answers it. */
export async function explain(
  context: CommandContext,
  flags: ExplainFlags,
  code: string,
  explainRequest: ExplainRequest,
): Promise<number> {
  const { terminal, folder } = context
  const config = await loadConfigOrTell(context, flags)
  if (config === null) return EXIT.configuration
  const contexts = readContexts(flags.contextSets ?? '', config.options.limits)
  const headers = readHeaders(flags.header ?? [])
  const params = readParams(flags.params ?? '')
  for (const read of [contexts, headers, params]) {
    if (typeof read === 'string') {
      terminal.err(`error: ${read}`)
      return EXIT.usage
    }
  }
  const locale = flags.locale === '' ? null : (flags.locale ?? null)
  const host = params as Readonly<Record<string, unknown>>
  const request = {
    url: flags.url ?? '/',
    headers: headers as MenuRequest['headers'],
    params: host,
    locale,
  }
  const past = flags.at === undefined ? null : await openPast(config, flags.at)
  if (past !== null && isRefusal(past)) return tellRefusal(context, past)
  const fileOf = past?.fileOf ?? ((path: string): string => toSeen(folder, config.menusFolder, path))
  const query: ExplainQuery = {
    code,
    locale,
    contexts: contexts as readonly Context[],
    viewer: flags.permissions === undefined ? null : { id: null, permissions: toKeys(flags.permissions) },
    host,
    fileOf,
  }
  const opened = await openOrTell(context, () =>
    explainRequest(config, request, query, past?.snapshotOf ?? null),
  )
  if (opened === null) return EXIT.configuration
  const json = { version: 1, ...opened }
  terminal.out(flags.json ? toPlainJson(json, 2) : toExplanationText(opened, terminal.paintOut))
  return opened.menu === null ? EXIT.findings : EXIT.fine
}

async function openOrTell(
  { terminal }: CommandContext,
  open: () => ReturnType<ExplainRequest>,
): Promise<Explanation | null> {
  try {
    const { explanation, problems } = await open()
    tellProblems(terminal, problems)
    return explanation
  } catch (thrown) {
    if (!(thrown instanceof HookError)) throw thrown
    terminal.err(`error: such a request is answered with 500: ${toReason(thrown)}`)
    return null
  }
}

/** The menus of a commit, and how their files are named: `REV:path`, from the top of the work tree. */
interface Past {
  readonly snapshotOf: SnapshotOf
  readonly fileOf: (path: string) => string
}

async function openPast(config: Config, revision: string): Promise<Past | Refusal> {
  const menus = await openMenusRepository(config)
  if (isRefusal(menus)) return menus
  const { value: commit, fault } = await toCommit(menus.repository, revision)
  if (fault !== null) return toRefusal(fault, EXIT.usage)
  const { filePrefix } = toReach(config)
  return {
    snapshotOf: async (reading) =>
      (await readMenusAt(menus.repository, commit, menus.folder, { reading, filePrefix })).snapshot,
    fileOf: (path) => `${revision}:${toTree(menus, path)}`,
  }
}

function readHeaders(lines: readonly string[]): MenuRequest['headers'] | string {
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const [, name, value = ''] = /^([\w!#$%&'*+.^`|~-]+):\s*(.*)$/s.exec(line) ?? []
    if (name === undefined) return `--header ${JSON.stringify(line)} is not of the form 'Name: value'`
    headers[name.toLowerCase()] = value
  }
  return headers
}
