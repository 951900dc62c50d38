import { isScalar } from '../../model/context.js'
import { derived } from '../../model/derived.js'
import { childrenOf, type Label, type MenuItem } from '../../model/menu.js'
import type { Route } from '../../model/route.js'
import type { Snapshot } from '../../model/snapshot.js'
import { createPause } from '../../store/pause.js'

/** How items use a route. */
export interface RouteUsage {
  /** Labels of items that lead there. */
  readonly labels: readonly Label[]
  /** Values of its parameters, by name. */
  readonly values: ReadonlyMap<string, ReadonlySet<string>>
  /** Permissions that all of these items name, themselves or in an item above them, be it one of several. */
  readonly needs: readonly string[]
}

type Collected = { labels: Label[]; values: Map<string, Set<string>>; needs: readonly string[] | null }

/** Of each route, and of each parameter. */
const MOST_LABELS = 50
const MOST_VALUES = 200

/** How the items of all menus use each route, by its name. */
export const routeUsageOf: (snapshot: Snapshot) => Promise<ReadonlyMap<string, RouteUsage>> = derived(
  async ({ served }: Snapshot) => {
    const usages = new Map<string, Collected>()
    const pause = createPause()
    for (const { menu } of served.values()) {
      await pause()
      for (const [item, named] of guardedItems(menu.items)) {
        if (item.type === 'divider' || item.routeName === null) continue
        const usage: Collected = usages.get(item.routeName) ?? { labels: [], values: new Map(), needs: null }
        usages.set(item.routeName, usage)
        usage.needs = usage.needs?.filter((key) => named.includes(key)) ?? named
        const { labels, values } = usage
        if (labels.length < MOST_LABELS) labels.push(item.label)
        for (const [param, value] of Object.entries(item.routeParams)) {
          const known = values.get(param) ?? new Set()
          if (isScalar(value) && known.size < MOST_VALUES) values.set(param, known.add(String(value)))
        }
      }
    }
    return new Map([...usages].map(([name, usage]) => [name, { ...usage, needs: usage.needs ?? [] }]))
  },
)

/** Every item with the permissions that it and the items above it name. */
function* guardedItems(
  items: readonly MenuItem[],
  above: readonly string[] = [],
): Generator<[MenuItem, readonly string[]]> {
  for (const item of items) {
    const named = item.permissions.length === 0 ? above : [...new Set([...above, ...item.permissions])]
    yield [item, named]
    yield* guardedItems(childrenOf(item), named)
  }
}

/** The values that are known of a parameter: those of the configuration, then those of the menus. */
export function valuesOf(route: Route, param: string, usage: RouteUsage | undefined): readonly string[] {
  const all = [...(route.values?.get(param) ?? []), ...(usage?.values.get(param) ?? [])]
  return [...new Set(all)].slice(0, MOST_VALUES)
}
