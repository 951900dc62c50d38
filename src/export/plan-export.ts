import { type ContextKey, fromContextKey, NO_CONTEXT } from '../model/context.js'
import type { Locale } from '../model/locale.js'
import { compareText } from '../model/problem.js'
import { toTreeJson } from '../model/tree.js'
import { toPageTree } from '../render/current.js'
import { toMenuConfig } from '../render/display.js'
import { toMenuHtml } from '../render/html.js'
import { ANONYMOUS, type MenuRequest } from '../service/hooks.js'
import type { MenuService, View } from '../service/menu-service.js'
import type { Resolution } from '../service/resolution.js'
import { permissionsOf } from '../service/shareable.js'
import { createPause } from '../store/pause.js'
import { type ExportedVariant, type Manifest, toNameHash } from './manifest.js'

/** An export in memory: nothing is written before all of it is known. */
export interface ExportPlan {
  readonly manifest: Omit<Manifest, 'previous'>
  /** The bytes of each file, by name. Equal contents of a code and a locale have one file. */
  readonly files: ReadonlyMap<string, Buffer>
}

export interface ExportOptions {
  /** Whether each menu is exported as HTML, too. */
  readonly html: boolean
  /** Called now and then. */
  readonly onProgress: (done: number, total: number) => void
}

/**
 * What the endpoint answers an anonymous viewer, for each code, context and locale. Hooks get the request of builds. Throws
 * HookError where the endpoint would fail.
 */
export async function planExport(service: MenuService, options: ExportOptions): Promise<ExportPlan> {
  const { policies, settings } = service
  const { locales, defaultLocale } = settings.locales
  const { index, revision } = service.current()
  const now = Date.now()
  let until = Number.POSITIVE_INFINITY
  const files = new Map<string, Buffer>()
  const keep = (stem: string, ending: string, body: Buffer): string => {
    const name = `${stem}.${toNameHash(body)}.${ending}`
    files.set(name, body)
    return name
  }
  const bodyOf = service.viewAs((tree) => Buffer.from(toTreeJson(tree)))
  const htmlOf: View<Buffer> = (request, resolution) => {
    const { code, served, locale } = resolution
    const tree = service.view(request, resolution, { members: ['id', 'attributes'] })
    const config = toMenuConfig(code, served, settings.prefixes, settings.chains.get(locale) ?? [])
    return Buffer.from(toMenuHtml(toPageTree(tree, null), { config, label: null }))
  }
  const ask = async (code: string, key: ContextKey, locale: Locale): Promise<[MenuRequest, Resolution]> => {
    const sets = encodeURIComponent(`[{${key}}]`)
    const url = `${settings.api.path_prefix}/${code}?_locale=${locale}&_context_sets=${sets}`
    const request = { url, locale, headers: {}, params: {} }
    if (policies.prepareRequest !== undefined) await service.prepare(request)
    const resolution = service.resolve(request, { code, locale, candidates: [key], viewer: ANONYMOUS, now })
    until = Math.min(until, resolution.until)
    return [request, resolution]
  }
  /** A variant; null while its window is closed, when there is none for the endpoint either. */
  const toVariant = async (code: string, key: ContextKey): Promise<ExportedVariant | null> => {
    const asked: (readonly [MenuRequest, Resolution])[] = []
    for (const locale of locales) asked.push(await ask(code, key, locale))
    const served = asked.find(([, each]) => each.served !== null)?.[1].served ?? null
    if (served === null) return null
    const isForAll = permissionsOf(served.menu).length === 0 && policies.canView === undefined
    const toFiles = (ending: string, toBody: View<Buffer>): Readonly<Record<Locale, string>> =>
      Object.fromEntries(
        asked.map(([request, resolution]) => {
          const { locale } = resolution
          return [locale, keep(`${code}.${locale}`, ending, toBody(request, resolution))]
        }),
      )
    return {
      context: fromContextKey(key),
      version: served.version,
      ...(!isForAll && { anonymous: true }),
      json: toFiles('json', bodyOf),
      ...(options.html && { html: toFiles('html', htmlOf) }),
    }
  }

  const menus: [string, readonly ExportedVariant[]][] = []
  const pause = createPause()
  for (const code of [...index.keys()].sort(compareText)) {
    const isResolved = policies.resolveMenuCode !== undefined
    const resolved = isResolved ? (await ask(code, NO_CONTEXT, defaultLocale))[1].code : code
    const variants: ExportedVariant[] = []
    // In the order of their paths, as the index has them.
    for (const key of index.get(resolved)?.keys() ?? []) {
      const variant = await toVariant(code, key)
      if (variant !== null) variants.push(variant)
    }
    menus.push([code, variants])
    if (await pause()) options.onProgress(menus.length, index.size)
  }
  const end = until === Number.POSITIVE_INFINITY ? null : new Date(until).toISOString()
  return { manifest: { revision, defaultLocale, locales, until: end, menus }, files }
}
