import { type OpenSite, type SiteOptions, withSite } from '../http/sites.js'
import type { HttpAnswer } from '../support/http.js'
import { MENU } from './managing.js'

export const HOME = '/admin/menus'

export type Fields = Readonly<Record<string, string>>
type Headers = Readonly<Record<string, string>>

/** A browser without JavaScript, which keeps its cookie and follows nothing by itself. */
export interface Visitor {
  readonly look: (path: string, headers?: Headers) => Promise<HttpAnswer>
  /** Sends a form, or another body, from a page of the dashboard. */
  readonly send: (path: string, fields: Fields | string, headers?: Headers) => Promise<HttpAnswer>
  /** Sends the form of a page as it is there, with some fields filled in. */
  readonly fill: (path: string, fields: Fields) => Promise<HttpAnswer>
  /** Uses a link to sign in. */
  readonly enter: (link: string) => Promise<HttpAnswer>
}

/** What a visitor asks. */
export type Ask = OpenSite['ask']

export function createVisitor(ask: Ask, url: string): Visitor {
  let cookie = ''
  const keep = (answer: HttpAnswer): HttpAnswer => {
    const given = answer.headers['set-cookie']?.split(';')[0]
    if (given !== undefined) cookie = given
    return answer
  }
  const look: Visitor['look'] = async (path, headers = {}) =>
    keep(await ask(path, { headers: { accept: 'text/html,*/*;q=0.8', cookie, ...headers } }))
  const send: Visitor['send'] = async (path, fields, headers = {}) =>
    keep(
      await ask(path, {
        method: 'POST',
        headers: {
          accept: 'text/html',
          'content-type': 'application/x-www-form-urlencoded',
          origin: url,
          'sec-fetch-site': 'same-origin',
          cookie,
          ...headers,
        },
        body: typeof fields === 'string' ? fields : new URLSearchParams(fields).toString(),
      }),
    )
  const fill: Visitor['fill'] = async (path, fields) => {
    const { text } = await look(path)
    const [, csrf = ''] = /name="csrf" value="([^"]*)"/.exec(text) ?? []
    return send(path, { csrf, ...fields })
  }
  const enter: Visitor['enter'] = (link) =>
    send(`${HOME}/sign-in`, { link: new URL(link).searchParams.get('link') ?? '' })
  return { look, send, fill, enter }
}

/** Does something with a service that has these menus and a dashboard, as somebody who is not signed in. */
export async function visiting(
  run: (visitor: Visitor, site: OpenSite) => Promise<void>,
  { menus = { 'main.yaml': MENU }, ...options }: SiteOptions & { readonly menus?: Fields } = {},
): Promise<void> {
  await withSite(menus, { hasDashboard: true, ...options }, (site) =>
    run(createVisitor(site.ask, site.url), site),
  )
}

/** The same, signed in by a link. */
export function working(
  run: Parameters<typeof visiting>[0],
  options: Parameters<typeof visiting>[1] = {},
): Promise<void> {
  return visiting(async (visitor, site) => {
    await visitor.enter(site.link())
    await run(visitor, site)
  }, options)
}

/** The text that a page shows, without its tags. */
export function textOfPage({ text }: HttpAnswer): string {
  return text
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
}
