import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createMenuClient, type MenuQuery } from '../../src/client/client.js'
import { openSite } from '../http/sites.js'
import { get } from '../support/http.js'
import { exportOf } from './export-folder.js'
import { openStaticSite } from './static-site.js'

// The law of selection, by the same vectors over HTTP, in a client of the service and in a client of its export.

interface Vector {
  readonly name: string
  readonly menus: readonly { readonly code: string; readonly context: object | null }[]
  readonly locales: readonly string[]
  readonly defaultLocale: string
  readonly ask: MenuQuery & { readonly code: string; readonly locale?: string }
  readonly want: { readonly context: object; readonly locale: string } | null
}

const FILE = join(import.meta.dirname, '../fixtures/selection-vectors.json')
const vectors: readonly Vector[] = JSON.parse(readFileSync(FILE, 'utf8'))

/** A menu whose only label says which menu it is, and in which locale. */
function toFile({ menus, locales }: Vector, place: number): string {
  const { code, context } = menus[place] ?? {}
  const label = Object.fromEntries(locales.map((locale) => [locale, `${place} ${locale}`]))
  return JSON.stringify({ version: 1, code, name: code, context, items: [{ label, url: '/' }] })
}

/** Closed together: each waits for the connections that `fetch` keeps. */
const opened: { readonly close: () => Promise<void> }[] = []
test.after(async () => void (await Promise.all(opened.map(({ close }) => close()))))

/** The labels that the service sends, and that a client of it and a client of its export return. */
async function labelsOf(vector: Vector): Promise<readonly string[]> {
  const { menus, locales, defaultLocale, ask } = vector
  const files = menus.map((_, place) => [`${place}.yaml`, toFile(vector, place)])
  const site = await openSite(Object.fromEntries(files), {
    config: { locales, default_locale: defaultLocale },
  })
  const folder = await exportOf(site)
  const host = await openStaticSite({ export: folder.dir })
  opened.push(site, host)
  const { code, ...query } = ask
  const sent = new URLSearchParams()
  if (query.locale !== undefined) sent.set('_locale', query.locale)
  const sets: unknown = query.contextSets
  if (sets !== undefined) sent.set('_context_sets', sets === '' ? '' : JSON.stringify(sets))
  const trees = [
    (await get(`${site.url}/api/menu/${code}?${sent}`)).json() as { label: string }[],
    await createMenuClient(`${site.url}/api/menu`).tree(code, query),
    await createMenuClient(new URL(`${host.url}/export/menus.json`)).tree(code, query),
  ]
  folder.close()
  return trees.map((tree) => tree.map(({ label }) => label).join())
}

for (const vector of vectors) {
  test(vector.name, async () => {
    const { menus, want } = vector
    const texts = menus.map(({ context }) => JSON.stringify(context ?? {}))
    const place = menus.findIndex(
      ({ code }, each) => code === vector.ask.code && texts[each] === JSON.stringify(want?.context),
    )
    const label = want === null ? '' : `${place} ${want.locale}`
    assert.equal(await labelsOf(vector), [label, label, label])
  })
}

test.run()
