import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { type OpenSite, openSite, type SiteOptions } from '../http/sites.js'
import type { HttpAnswer } from '../support/http.js'
import { closing } from '../support/test.js'
import { yaml } from '../support/yaml.js'

export const ADMIN = 'an-admin-token-of-more-than-32-characters'
export const API = '/admin/menus/api'
export const MENU: string = yaml`
  version: 1
  code: main
  name: Main   # for editors
  items:
    # where all begins
    - label: Home
      url: /
    - label: Sales
      url: /sales
`
/** A menu with a branch. */
export const NESTED: string = yaml`
  version: 1
  code: main
  name: Main
  items:
    - label: Home
      url: /
    - type: section
      label: Products
      children:
        - label: Lamps
          url: /lamps
        - label: Blog
          url: /blog
    - label: About
      url: /about
`

/** What a site of a test is like; `menus` by their path in the menus folder. */
export interface SiteWithMenus extends SiteOptions {
  readonly menus?: Readonly<Record<string, string>>
}

export interface Asked {
  readonly body?: unknown
  readonly type?: string
  readonly version?: string
  readonly headers?: Readonly<Record<string, string>>
}

export type Script = (method: string, path: string, asked?: Asked) => Promise<HttpAnswer>

/** A script that has the admin token, or these headers in place of it. */
export function scriptOf(
  { ask }: Pick<OpenSite, 'ask'>,
  who: Readonly<Record<string, string>> = { authorization: `Bearer ${ADMIN}` },
): Script {
  return (method, path, { body, type, version, headers = {} } = {}) =>
    ask(`${API}${path}`, {
      method,
      headers: {
        ...who,
        ...(body !== undefined && { 'content-type': type ?? 'application/json' }),
        ...(version !== undefined && { 'if-match': version }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
}

/** A site whose proxy names its users, who may edit. */
export const PROXIED = {
  config: {
    server: { trusted_proxies: ['127.0.0.1'] },
    dashboard: { proxy_user_header: 'X-User', proxy_default_role: 'edit' },
  },
} as const

/** A script of a user whom the proxy, or a hook, of a site names by that header. */
export async function scriptAs(user: string, { ask, url }: OpenSite): Promise<Script> {
  const { csrf } = (await ask(`${API}/session`, { headers: { 'x-user': user } })).json() as { csrf: string }
  return scriptOf({ ask }, { 'x-user': user, origin: url, 'x-csrf-token': csrf })
}

/** Opens a site for a test, whose menu is `main.yaml` by default, and that script. */
export async function openForScript({
  menus = { 'main.yaml': MENU },
  ...options
}: SiteWithMenus = {}): Promise<readonly [script: Script, site: OpenSite]> {
  const site = closing(await openSite(menus, { adminToken: ADMIN, hasDashboard: true, ...options }))
  return [scriptOf(site), site]
}

/** The text of a menu file on the disk. */
export function textOf({ folder }: OpenSite, path: string = 'main.yaml'): string {
  return readFileSync(join(folder.dir, 'menus', path), 'utf8')
}

/** The status and the problem code of an answer. */
export function codeOf(answer: HttpAnswer): string {
  return `${answer.status} ${(answer.json() as { code: string }).code}`
}

/** The entity tag of a menu file. */
export async function versionOf(script: Script, path: string = 'main.yaml'): Promise<string> {
  return (await script('GET', `/menu?file=${path}`)).headers['etag'] ?? ''
}

/** Starts a draft of a file with these operations, and gives its path. */
export async function draftOf(
  script: Script,
  operations: readonly object[],
  file: string = 'main.yaml',
): Promise<string> {
  const { id } = (await script('POST', `/drafts?file=${file}`)).json() as { id: string }
  const { status, text } = await script('PATCH', `/drafts/${id}`, { body: operations })
  assert.is(status, 200, text)
  return `/drafts/${id}`
}

/** The ids of the texts of a file that were replaced, the last first. */
export async function keptIds(script: Script, file: string = 'main.yaml'): Promise<readonly string[]> {
  const { kept } = (await script('GET', `/history?file=${file}`)).json() as {
    kept: readonly { id: string }[]
  }
  return kept.map(({ id }) => id)
}

/** The operation that names the menu. */
export function renamed(value: string): readonly object[] {
  return [{ op: 'replace', path: '/name', value }]
}
