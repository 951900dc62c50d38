import type { Snapshot } from '../model/snapshot.js'
import { type Counters, isBroken } from '../web/counters.js'
import { countsOf } from './health.js'

/**
 * Reports the counters, and how the process does, in the format of Prometheus. The library is loaded when it is asked for
 * first, and again where that failed.
 */
export function createMetrics(
  counters: Counters,
  current: () => Snapshot,
  version: string,
): () => Promise<{ readonly type: string; readonly text: string }> {
  let registry: Promise<{ readonly contentType: string; metrics(): Promise<string> }> | null = null
  return async () => {
    registry ??= createRegistry(counters, current, version).catch((thrown: unknown) => {
      registry = null
      throw thrown
    })
    const { contentType, metrics } = await registry
    return { type: contentType, text: await metrics() }
  }
}

async function createRegistry(counters: Counters, current: () => Snapshot, version: string) {
  const { default: prometheus } = await import('prom-client')
  const registry = new prometheus.Registry()
  const registers = [registry]
  const labelled = (name: string, help: string, labelNames: string[], rows: () => [string[], number][]) => {
    new prometheus.Counter({
      name,
      help,
      labelNames,
      registers,
      collect() {
        this.reset()
        for (const [values, count] of rows()) this.labels(...values).inc(count)
      },
    })
  }
  const counter = (name: string, help: string, value: () => number): void =>
    labelled(name, help, [], () => [[[], value()]])
  const gauge = (name: string, help: string, value: () => number): void => {
    new prometheus.Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value())
      },
    })
  }
  new prometheus.Gauge({
    name: 'menuscript_build_info',
    help: 'Always 1; its label is the version that runs.',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1)
  labelled(
    'menu_requests_total',
    'Requests that were answered, by status; 499 where the connection ended first.',
    ['status'],
    () => [...counters.answers].map(([status, count]) => [[String(status)], count]),
  )
  labelled(
    'menu_events_total',
    'Lines of the log, whether or not they were written.',
    ['level', 'event'],
    () => [...counters.events].map(([key, count]) => [key.split(' '), count]),
  )
  counter('menu_reloads_total', 'Snapshots that took the place of another.', () => counters.reloads)
  counter(
    'menu_reload_failed_total',
    'Files that were read anew and could not be taken over.',
    () => counters.failedReloads,
  )
  gauge('menu_files', 'Menu files there are.', () => countsOf(current()).files)
  gauge('menu_files_invalid', 'Menu files with an error.', () => current().files.filter(isBroken).length)
  gauge('menu_menus', 'Menus that are served.', () => countsOf(current()).menus)
  gauge('menu_menus_stale', 'Menus whose last good version is served.', () => countsOf(current()).stale)
  gauge('menu_snapshot_age_seconds', 'Seconds since what is served changed.', counters.age)
  prometheus.collectDefaultMetrics({ register: registry })
  return { contentType: registry.contentType, metrics: () => registry.metrics() }
}
