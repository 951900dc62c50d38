import { createHash } from 'node:crypto'
import { get } from '../support/http.js'
import { createMenusFolder, type MenusFolder } from '../support/menus-folder.js'

/** What an export is made of. */
export interface Exported {
  readonly menus: readonly { readonly code: string; readonly context: object | null }[]
  readonly locales: readonly string[]
  readonly defaultLocale: string
}

/** Writes the export of a service: a file for each menu and locale, with the bytes that the service sends, and the manifest. */
export async function exportOf(
  url: string,
  { menus, locales, defaultLocale }: Exported,
): Promise<MenusFolder> {
  const folder = createMenusFolder()
  const variants = new Map<string, object[]>()
  for (const { code, context } of menus) {
    const json: Record<string, string> = {}
    for (const locale of locales) {
      const query = new URLSearchParams({ _locale: locale, _context_sets: JSON.stringify([context]) })
      const { body } = await get(`${url}/api/menu/${code}?${query}`)
      const hash = createHash('sha256').update(body).digest('hex').slice(0, 12)
      json[locale] = `${code}.${locale}.${hash}.json`
      folder.write(json[locale], body)
    }
    const others = variants.get(code) ?? []
    variants.set(code, [...others, { context: context ?? {}, version: 'v', json }])
  }
  const manifest = {
    ...{ manifest: 1, revision: 'r', defaultLocale, locales, until: null },
    menus: Object.fromEntries(variants),
  }
  folder.write('menus.json', JSON.stringify(manifest))
  return folder
}
