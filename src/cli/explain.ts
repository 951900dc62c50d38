import type { Snapshot } from '../model/snapshot.js'
import { momentAt } from '../review/history/menus-at.js'
import { refuse } from '../review/refusal.js'
import { openMenusRepository, toSeen, toTree } from '../review/site.js'
import { createServiceOver, openRuntime } from '../runtime.js'
import type { ExplainQuery } from '../service/explain/explain.js'
import { HookError, type MenuRequest, toKeys } from '../service/hooks.js'
import { toReason } from '../service/log.js'
import { loadState } from '../store/git/compare-trees.js'
import { NOTHING } from '../store/load.js'
import type { ReadOptions } from '../store/read-options.js'
import { type CommandContext, type Flags, needMenus, print } from './command.js'
import type { Ending } from './exit-codes.js'
import { toExplanationText } from './explain-text.js'
import { readContexts, readParams, readTime } from './flag-values.js'
import { openWith, toHookLog } from './read-menus.js'

type ExplainFlags = Flags<
  'json',
  'locale' | 'contextSets' | 'permissions' | 'url' | 'params' | 'at' | 'now'
> & {
  readonly header?: readonly string[]
}

/** `menuscript explain`: shows why a request gets its response; 1 when no menu answers it. */
export async function explain(context: CommandContext, flags: ExplainFlags, code: string): Promise<Ending> {
  const config = await needMenus(context, flags)
  const contexts = readContexts(flags.contextSets ?? '', config.options.limits)
  const headers = readHeaders(flags.header ?? [])
  const host = readParams(flags.params ?? '')
  const locale = flags.locale === '' ? null : (flags.locale ?? null)
  const request: MenuRequest = { url: flags.url ?? '/', headers, params: host, locale }
  const menus = flags.at === undefined ? null : await openMenusRepository(config)
  const tree = menus && (await momentAt(menus, flags.at ?? '')).tree
  const query: ExplainQuery = {
    code,
    locale,
    contexts,
    viewer: flags.permissions === undefined ? null : { id: null, permissions: toKeys(flags.permissions) },
    now: flags.now === undefined ? null : readTime(flags.now),
    host,
    // In a commit `REV:path`, from the top of the work tree.
    fileOf: (path) => (menus === null ? toSeen(config, path) : `${flags.at}:${toTree(menus, path)}`),
  }
  const log = toHookLog(context)
  // A clone is read as it is.
  const runtime =
    menus === null
      ? await openWith(context, (options) =>
          openRuntime({ ...config, remote: null }, { watch: false, log, ...options }),
        )
      : null
  const snapshotOf = async (reading: ReadOptions): Promise<Snapshot> =>
    tree === null ? NOTHING.snapshot : (await loadState(tree, reading)).snapshot
  const service = runtime?.service ?? (await createServiceOver(config, log, snapshotOf))
  try {
    await service.prepare(request)
    const explanation = service.explain(request, query)
    print(context, flags.json, explanation, (paint) => toExplanationText(explanation, paint))
    return explanation.menu === null ? 'findings' : 'fine'
  } catch (thrown) {
    if (!(thrown instanceof HookError)) throw thrown
    return refuse('configuration', `such a request gets a 500: ${toReason(thrown)}`)
  } finally {
    await runtime?.close()
  }
}

function readHeaders(lines: readonly string[]): MenuRequest['headers'] {
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const [, name, value = ''] = /^([\w!#$%&'*+.^`|~-]+):\s*(.*)$/s.exec(line) ?? []
    if (name === undefined)
      refuse('usage', `--header ${JSON.stringify(line)} is not of the form 'Name: value'`)
    headers[name.toLowerCase()] = value
  }
  return headers
}
