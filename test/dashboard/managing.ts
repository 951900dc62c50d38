import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type OpenSite, type SiteOptions, withSite } from '../http/sites.js'
import type { HttpAnswer } from '../support/http.js'
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

export interface Asked {
  readonly body?: unknown
  readonly type?: string
  readonly version?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A script that has the admin token. */
export function scriptOf({ ask }: Pick<OpenSite, 'ask'>) {
  return (
    method: string,
    path: string,
    { body, type, version, headers = {} }: Asked = {},
  ): Promise<HttpAnswer> =>
    ask(`${API}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${ADMIN}`,
        ...(body !== undefined && { 'content-type': type ?? 'application/json' }),
        ...(version !== undefined && { 'if-match': version }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
}

/** Does something with a service that has one menu and a dashboard, by a script with the admin token. */
export async function managing(
  run: (script: ReturnType<typeof scriptOf>, site: OpenSite) => Promise<void>,
  options: SiteOptions = {},
): Promise<void> {
  await withSite({ 'main.yaml': MENU }, { adminToken: ADMIN, hasDashboard: true, ...options }, (site) =>
    run(scriptOf(site), site),
  )
}

/** The text of a menu file. */
export const textOf = ({ folder }: OpenSite, path = 'main.yaml'): string =>
  readFileSync(join(folder.dir, 'menus', path), 'utf8')
/** The status and the code of a problem. */
export const codeOf = (answer: HttpAnswer): string =>
  `${answer.status} ${(answer.json() as { code: string }).code}`
export const versionOf = async (script: ReturnType<typeof scriptOf>): Promise<string> =>
  (await script('GET', '/menu?file=main.yaml')).headers['etag'] ?? ''
export const renamed = (value: string): readonly object[] => [{ op: 'replace', path: '/name', value }]
