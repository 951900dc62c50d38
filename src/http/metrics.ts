import type { Snapshot } from '../model/snapshot.js'
import { type Counters, type FollowedRemote, isBroken } from '../web/counters.js'
import { once } from '../web/once.js'
import { countsOf, toReadiness } from './health.js'

/** The values of a metric, each with those of its labels. */
type Rows = () => readonly (readonly [labels: readonly string[], value: number])[]

/**
 * Reports the counters, and how the process does, in the format of Prometheus. The library is loaded when it is asked for
 * first, and again where that failed.
 */
export function createMetrics(
  counters: Counters,
  current: () => Snapshot,
  version: string,
): () => Promise<{ readonly type: string; readonly text: string }> {
  const registry = once(() => createRegistry(counters, current, version))
  return async () => {
    const { contentType, metrics } = await registry()
    return { type: contentType, text: await metrics() }
  }
}

async function createRegistry(counters: Counters, current: () => Snapshot, version: string) {
  const { default: prometheus } = await import('prom-client')
  const registry = new prometheus.Registry()
  const adding =
    (Metric: typeof prometheus.Counter) =>
    (name: string, help: string, value: Rows | (() => number | null), labelNames: string[] = []): void => {
      new Metric({
        name,
        help,
        labelNames,
        registers: [registry],
        collect() {
          this.reset()
          const rows = value()
          if (typeof rows === 'number') this.inc(rows)
          // A reset leaves 0.
          else if (rows === null) this.remove()
          else for (const [labels, count] of rows) this.labels(...labels).inc(count)
        },
      })
    }
  const counter = adding(prometheus.Counter)
  // A gauge that is reset for each collection is filled as a counter is.
  const gauge = adding(prometheus.Gauge as never)
  const build = 'Always 1; its label is the running version.'
  gauge('menuscript_build_info', build, () => [[[version], 1]], ['version'])
  const served = 'Always 1; its labels are what is served, and its commit in the remote repository.'
  const revision: Rows = () => [[[current().revision, counters.remote()?.commit ?? ''], 1]]
  gauge('menuscript_revision_info', served, revision, ['revision', 'commit'])
  const requests = 'Requests by status; 499 if the connection ended before the response.'
  const statuses: Rows = () => [...counters.answers].map(([status, count]) => [[String(status)], count])
  counter('menu_requests_total', requests, statuses, ['status'])
  const lines: Rows = () => [...counters.events].map(([key, count]) => [key.split(' '), count])
  const events = 'Log lines, whether or not they were written.'
  counter('menu_events_total', events, lines, ['level', 'event'])
  counter('menu_reloads_total', 'Changes of the served menus.', () => counters.reloads)
  const failed = 'Files that changed and could not be loaded.'
  counter('menu_reload_failed_total', failed, () => counters.failedReloads)
  const isDegraded = () => toReadiness(current(), false, null, counters).status === 'degraded'
  gauge('menu_degraded', '1 while /readyz is degraded, else 0.', () => Number(isDegraded()))
  gauge('menu_files', 'Menu files.', () => countsOf(current()).files)
  gauge('menu_files_invalid', 'Menu files with an error.', () => current().files.filter(isBroken).length)
  gauge('menu_menus', 'Menus that are served.', () => countsOf(current()).menus)
  gauge('menu_menus_stale', 'Menus served in their last good version.', () => countsOf(current()).stale)
  gauge('menu_snapshot_age_seconds', 'Seconds since the served menus changed.', counters.age)
  gauge('menu_drafts', 'Unpublished drafts.', () => counters.open.get('drafts')?.() ?? 0)
  gauge(
    'menu_draft_oldest_seconds',
    'Seconds since the last change of the oldest draft.',
    () => counters.open.get('oldest draft')?.() ?? 0,
  )
  const streams = 'Clients that follow events of the dashboard.'
  gauge('menu_event_streams', streams, () => counters.open.get('streams')?.() ?? 0)
  const behind = 'Seconds since the replica last knew that it had what its remote repository has.'
  gauge('menu_replica_behind_seconds', behind, () => counters.remote()?.behindSeconds ?? null)
  const reachable = (remote: FollowedRemote | null): number | null => remote && Number(remote.reason === null)
  const can = '1 while the remote repository can be reached, else 0.'
  gauge('menu_remote_reachable', can, () => reachable(counters.remote()))
  prometheus.collectDefaultMetrics({ register: registry })
  // In Prometheus, only counters end so. The gauges without it have the same numbers, by type.
  for (const { name } of registry.getMetricsAsArray())
    if (name.endsWith('_total') && registry.getSingleMetric(name) instanceof prometheus.Gauge)
      registry.removeSingleMetric(name)
  const name = 'menu_request_duration_seconds'
  const help = 'Seconds until a response was written, by kind of path and class of status.'
  const metrics = async (): Promise<string> => {
    // What was counted elsewhere comes in as from another process.
    const values = counters.durations.toValues(name)
    const histogram = { name, help, type: 'histogram', aggregator: 'sum', values }
    const counted = await prometheus.AggregatorRegistry.aggregate([[histogram]]).metrics()
    return `${await registry.metrics()}\n${counted}`
  }
  return { contentType: registry.contentType, metrics }
}
