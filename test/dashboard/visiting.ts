import { type OpenSite, openSite } from '../http/sites.js'
import type { HttpAnswer } from '../support/http.js'
import { closing } from '../support/test.js'
import { MENU, type SiteWithMenus } from './managing.js'

export const HOME = '/admin/menus'

export type Fields = Readonly<Record<string, string>>
type Headers = Readonly<Record<string, string>>

/** A browser without JavaScript, which keeps its cookie and follows nothing by itself. */
export interface Visitor {
  readonly look: (path: string, headers?: Headers) => Promise<HttpAnswer>
  /** Sends a form, or another body, from a page of the dashboard. */
  readonly send: (path: string, fields: Fields | string | Buffer, headers?: Headers) => Promise<HttpAnswer>
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
        body:
          typeof fields === 'string' || Buffer.isBuffer(fields)
            ? fields
            : new URLSearchParams(fields).toString(),
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

/** Opens a site with a dashboard for a test, and somebody who is not signed in. */
export async function openForVisitor({
  menus = { 'main.yaml': MENU },
  ...options
}: SiteWithMenus = {}): Promise<readonly [visitor: Visitor, site: OpenSite]> {
  const site = closing(await openSite(menus, { hasDashboard: true, ...options }))
  return [createVisitor(site.ask, site.url), site]
}

/** The same, signed in by a link. */
export async function openForOperator(options: SiteWithMenus = {}): ReturnType<typeof openForVisitor> {
  const [visitor, site] = await openForVisitor(options)
  await visitor.enter(site.link())
  return [visitor, site]
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
