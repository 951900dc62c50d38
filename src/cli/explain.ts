import type { Config } from '../config/load-config.js'
import { done, failed } from '../model/result.js'
import type { Snapshot } from '../model/snapshot.js'
import { type Answer, answerOf, refuse } from '../review/answer.js'
import { openMenusRepository, toReach, toTree } from '../review/history/moment.js'
import { toPlainJson } from '../review/plain-json.js'
import { toSeen } from '../review/seen-path.js'
import { openService } from '../runtime.js'
import type { ExplainQuery } from '../service/explain/explain.js'
import type { Explanation } from '../service/explain/explanation.js'
import { HookError, type MenuRequest } from '../service/hooks.js'
import { type Log, SILENT_LOG, toReason } from '../service/log.js'
import { judgeTexts, readTextsAt, toState } from '../store/git/menus.js'
import { toCommit } from '../store/git/revision.js'
import type { ReadOptions } from '../store/read-options.js'
import { type CommandContext, type ConfigFlags, fail, failOf, need, needConfig } from './command.js'
import { EXIT } from './exit-codes.js'
import { toExplanationText } from './explain-text.js'
import { readContexts, readParams, toKeys } from './flag-values.js'

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

/** `menuscript explain`: says why a request gets what it gets; 1 when no menu answers it. */
export async function explain(context: CommandContext, flags: ExplainFlags, code: string): Promise<number> {
  const { terminal, folder } = context
  const config = await needConfig(context, flags)
  const contexts = need(context, readContexts(flags.contextSets ?? '', config.options.limits))
  const headers = need(context, readHeaders(flags.header ?? []))
  const host = need(context, readParams(flags.params ?? ''))
  const locale = flags.locale === '' ? null : (flags.locale ?? null)
  const request: MenuRequest = { url: flags.url ?? '/', headers, params: host, locale }
  const past = flags.at === undefined ? null : need(context, await openPast(config, flags.at))
  const query: ExplainQuery = {
    code,
    locale,
    contexts,
    viewer: flags.permissions === undefined ? null : { id: null, permissions: toKeys(flags.permissions) },
    host,
    fileOf: past?.fileOf ?? ((path) => toSeen(folder, config.menusFolder, path)),
  }
  const explanation = await explainRequest(context, config, request, query, past)
  const json = { version: 1, ...explanation }
  terminal.out(flags.json ? toPlainJson(json, 2) : toExplanationText(explanation, terminal.paintOut))
  return explanation.menu === null ? EXIT.findings : EXIT.fine
}

async function explainRequest(
  context: CommandContext,
  config: Config,
  request: MenuRequest,
  query: ExplainQuery,
  past: Past | null,
): Promise<Explanation> {
  const opened = await openService(config, toHookLog(context), past?.snapshotOf ?? null)
  if (opened.service === null) return failOf(context, opened.problems)
  try {
    await opened.service.prepare(request)
    return opened.service.explain(request, query)
  } catch (thrown) {
    if (!(thrown instanceof HookError)) throw thrown
    return fail(context, EXIT.configuration, `such a request is answered with 500: ${toReason(thrown)}`)
  } finally {
    await opened.close()
  }
}

/** Why a hook failed is part of the explanation; what is wrong with files is for `lint`. */
function toHookLog({ terminal }: CommandContext): Log {
  return {
    ...SILENT_LOG,
    error: (event, { hook, reason } = {}) => {
      if (event === 'hook_failed') terminal.err(`note: the hook ${hook} failed: ${reason}`)
    },
  }
}

/** The menus of a commit, and how their files are named: `REV:path`, from the top of the work tree. */
interface Past {
  readonly snapshotOf: (reading: ReadOptions) => Promise<Snapshot>
  readonly fileOf: (path: string) => string
}

async function openPast(config: Config, revision: string): Promise<Answer<Past>> {
  const { value: menus, fault } = await openMenusRepository(config)
  if (fault !== null) return failed(fault)
  const named = answerOf(await toCommit(menus.repository, revision), 'bad-request')
  if (named.fault !== null) return named
  const commit = named.value
  const texts = await readTextsAt(menus.repository, commit, menus.folder, toReach(config))
  return done({
    snapshotOf: async (reading) => toState([judgeTexts(texts, reading)], reading).snapshot,
    fileOf: (path) => `${revision}:${toTree(menus, path)}`,
  })
}

function readHeaders(lines: readonly string[]): Answer<MenuRequest['headers']> {
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const [, name, value = ''] = /^([\w!#$%&'*+.^`|~-]+):\s*(.*)$/s.exec(line) ?? []
    if (name === undefined)
      return refuse('bad-request', `--header ${JSON.stringify(line)} is not of the form 'Name: value'`)
    headers[name.toLowerCase()] = value
  }
  return done(headers)
}
