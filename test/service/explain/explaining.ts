import type { Options } from '../../../src/config/options.js'
import type { Context, ItemType } from '../../../src/model/menu.js'
import type { Snapshot } from '../../../src/model/snapshot.js'
import type { ExplainedItem, Explanation } from '../../../src/service/explain/explanation.js'
import type { MenuRequest, Policies } from '../../../src/service/hooks.js'
import { snapshotOf } from '../../support/snapshot-of.js'
import { serviceOver, settingsOf } from '../services.js'

/** A request to explain, and the deployment that it is sent to. */
export interface Asked {
  /** Default: `main`. */
  readonly code?: string
  readonly locale?: string
  readonly contexts?: readonly Context[]
  /** Default: the viewer that the request speaks for. */
  readonly permissions?: readonly string[]
  readonly host?: Readonly<Record<string, unknown>>
  readonly headers?: MenuRequest['headers']
  readonly policies?: Policies
  readonly options?: Partial<Options>
  /** Default: the present. */
  readonly now?: number
}

/** What a service over these files, or over this snapshot, explains. */
export function explainOn(site: Snapshot | Readonly<Record<string, string>>, asked: Asked = {}): Explanation {
  const snapshot = isSnapshot(site) ? site : snapshotOf(site)
  const {
    code = 'main',
    locale = null,
    contexts = [],
    permissions,
    host = {},
    headers = {},
    now = null,
  } = asked
  const { service } = serviceOver(() => snapshot, asked.policies, settingsOf(asked.options))
  const viewer = permissions === undefined ? null : { id: null, permissions }
  return service.explain({ headers }, { code, locale, contexts, viewer, host, now })
}

/** The same for one menu `main` with these items, each a YAML text on a line of its own; the first is on line 5. */
export function explainItems(items: readonly string[], asked: Asked = {}): Explanation {
  return explainOn({ 'main.yaml': menuOf(items) }, asked)
}

/** A menu `main` with these items, each a YAML text on a line of its own; the first is on line 5. */
export function menuOf(items: readonly string[]): string {
  const list = items.length === 0 ? 'items: []' : `items:\n${items.map((item) => `  - ${item}`).join('\n')}`
  return `version: 1\ncode: main\nname: Main menu\n${list}\n`
}

/** Every item of an explanation, parents before children. */
export function* everyExplained(items: readonly ExplainedItem[]): Generator<ExplainedItem> {
  for (const item of items) {
    yield item
    yield* everyExplained(item.children)
  }
}

/** The item with a label; throws when there is none. */
export function itemOf({ items }: Explanation, label: string): ExplainedItem {
  const found = [...everyExplained(items)].find((item) => item.label.text === label)
  if (found === undefined) throw new Error(`Nothing is explained of ${label}.`)
  return found
}

/** What becomes of each item, in short: `denied Users`, those below it indented; dividers are `---`. */
export function fatesOf(items: readonly ExplainedItem[], margin = ''): readonly string[] {
  return items.flatMap(({ fate, label, itemType, children }) => [
    `${margin}${fate} ${itemType === 'divider' ? '---' : label.text}`,
    ...fatesOf(children, `${margin}  `),
  ])
}

interface Node {
  readonly label: string
  readonly href: string
  readonly routeName: string | null
  readonly icon: string | null
  readonly itemType: ItemType
  readonly children: readonly Node[]
}

/** The tree that an explanation says a client gets. */
export function toTree(items: readonly ExplainedItem[]): readonly Node[] {
  const shown = items.filter(({ fate }) => fate === 'shown')
  return shown.map(({ label, href, icon, itemType, children }) => ({
    label: label.text,
    href: href?.value ?? 'no href is explained',
    routeName: href?.routeName ?? null,
    icon: icon?.value ?? null,
    itemType,
    children: toTree(children),
  }))
}

function isSnapshot(site: Snapshot | Readonly<Record<string, string>>): site is Snapshot {
  return typeof site['revision'] === 'string' && 'index' in site
}
