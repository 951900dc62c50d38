import { API } from '../../dashboard/managing.js'

/** A request that costs as much as one of its kind can. */
export interface WorstCall {
  readonly method: string
  readonly path: string
  readonly body?: string
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** What the requests are about. */
export interface Subjects {
  readonly origin: string
  /** How many items the large menu has. */
  readonly items: number
  /** A large menu, as a text, with its version, and the version of an earlier text. */
  readonly big: string
  readonly version: string
  readonly earlier: string
  /** The id of an earlier text of it, and that of the draft of it. */
  readonly kept: string
  readonly draft: string
}

const BIG = 'file=big.yaml'
const PAGES = API.replace(/\/api$/, '')

const json = (method: string, path: string, body: unknown, headers = {}): WorstCall => ({
  ...{ method, path, headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
  type: 'application/json',
})
const look = (path: string): WorstCall => ({ method: 'GET', path })
const api = (path: string): string => `${API}${path}`

/** The dearest requests of each kind, by its name; none of them changes a menu. */
export function worstCalls(subjects: Subjects): Readonly<Record<string, readonly WorstCall[]>> {
  const { origin, items, big, version, earlier, kept, draft } = subjects
  const match = { 'if-match': version }
  const sets = Array.from({ length: 64 }, (_, place) => ({ partner: place, plan: 'x'.repeat(40) }))
  const permissions = Array.from({ length: 5_000 }, (_, place) => `may.${place}`)
  const contexts = encodeURIComponent(JSON.stringify(sets))
  const labels = Array.from({ length: items }, (_, place) => ({
    ...{ op: 'replace', path: `/items/${place}/label`, value: `Label ${place}` },
  }))
  const block = (code: string, count: number, filling = ''): object => ({
    menu: { code, name: 'Menu' },
    items: Array.from({ length: count }, (_, at) => ({
      ...{ label: `Item ${at}${filling}`, linkType: 'external', externalUrl: `/${at}` },
    })),
  })
  /** As many menus as a payload may have. */
  const blocks = Array.from({ length: 500 }, (_, place) => block(`m${place}`, 10))
  const broken = big.replaceAll('url: /', 'url: javascript:')
  const text = (body: string, headers: WorstCall['headers'] = match): WorstCall => ({
    ...{ method: 'PUT', path: api(`/source?${BIG}&dry_run=true`), body, type: 'text/yaml' },
    ...(headers && { headers }),
  })
  return {
    icons: [look(api(`/icons?limit=1000&q=${'i c o n s e t 1 2 -'.replaceAll(' ', '+')}`))],
    routes: [look(api(`/routes?limit=1000&q=${'r o u t e s 1 2 3 4'.replaceAll(' ', '+')}`))],
    problems: [look(api('/problems?limit=1000')), look(`${PAGES}/problems`)],
    lists: [look(api('/menus')), look(api('/drafts')), look(PAGES)],
    menu: [look(api(`/menu?${BIG}`)), look(api(`/source?${BIG}`)), look(`${PAGES}/edit?${BIG}`)],
    preview: [
      json('POST', api('/preview'), { code: 'main', context_sets: sets, viewer: { permissions } }),
      json(
        'POST',
        api('/preview'),
        { file: 'big.yaml', viewer: { permissions } },
        { 'idempotency-key': 'one' },
      ),
      json('POST', api('/preview'), { draft }),
      look(`${PAGES}/preview?${BIG}`),
    ],
    explain: [
      look(api(`/explain?code=main&context_sets=${contexts}`)),
      look(api('/explain?code=big')),
      look(api(`/explain?code=${'x'.repeat(5_000)}`)),
    ],
    export: [look(api('/export?notes=true')), look(`${PAGES}/export`)],
    history: [
      look(api(`/history?${BIG}`)),
      look(api(`/history/${kept}?${BIG}`)),
      look(`${PAGES}/history?${BIG}`),
    ],
    'diff of huge versions': [
      look(`${PAGES}/history?${BIG}&from=${kept}`),
      json('PATCH', api(`/menu?${BIG}`), labels, { 'if-match': earlier }),
      look(`${PAGES}/review?${BIG}`),
    ],
    restore: [json('POST', api(`/restore?${BIG}&dry_run=true`), { id: kept }, match)],
    import: [
      json('POST', api('/import?dry_run=true'), { menus: blocks }),
      json('POST', api('/import?dry_run=true'), block('large', items, 'x'.repeat(300))),
      json('POST', api('/import?dry_run=true'), `{"menus":[${'[],'.repeat(300_000)}[]]}`),
    ],
    patch: [
      json('PATCH', api(`/menu?${BIG}&dry_run=true`), labels, match),
      json('PATCH', api(`/drafts/${draft}?dry_run=true`), labels),
      json('PATCH', api(`/menu?${BIG}&dry_run=true`), `[${'[],'.repeat(400_000)}[]]`, match),
    ],
    text: [text(big.replace('name: Big', 'name: Other')), text(broken), text('['.repeat(900_000))],
    copy: [
      json('POST', api('/copy?dry_run=true'), {
        file: 'big.yaml',
        code: 'copy',
        version: version.replaceAll('"', ''),
      }),
    ],
    'sign-in': [json('POST', api('/session'), { user: 'ana', password: 'x'.repeat(1_000) }, { origin })],
  }
}
