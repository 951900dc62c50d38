import { writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { createHost, toOpeningLink } from '../../../src/store/remote/hosts/host.js'
import { listening } from '../../support/listening.js'
import { createMenusFolder } from '../../support/menus-folder.js'
import { closing, test } from '../../support/test.js'

async function hostOf(listener: RequestListener) {
  const tokenFile = join(closing(createMenusFolder()).dir, 'token')
  writeFileSync(tokenFile, 'secret-token')
  const api = await listening(listener)
  const place = { kind: 'gitea', api, web: api, project: 'shop/site', tokenFile } as const
  return createHost(place, 200)
}

test('a host that does not answer in time is away, also in the middle of an answer', async () => {
  const silent = await hostOf(() => {})
  assert.match((await silent?.list())?.fault ?? '', /timeout/)
  const slow = await hostOf((_, response) => response.writeHead(200).write('['))
  assert.match((await slow?.list())?.fault ?? '', /timeout/)
  const wish = { branch: 'menus/a/b', into: 'main', title: 'A', text: '' }
  assert.match((await slow?.open(wish))?.fault ?? '', /timeout/)
})

test('a redirect does not get the token', async () => {
  let seen = 0
  const other = await listening((_, response) => {
    seen++
    response.end('[]')
  })
  const host = await hostOf((_, response) => response.writeHead(307, { location: other }).end())
  assert.is((await host?.list())?.fault, '307')
  assert.is(seen, 0)
})

test('of what a host sends, only what has its form is taken, and no address that is none of a page', async () => {
  const own = { head: { label: 'menus/a/b', repo_id: 1, sha: 5 }, base: { repo_id: 1 } }
  const odd = [null, 1, 'x', {}, { number: 1 }, { ...own, number: '1' }, { ...own, head: null, number: 1 }]
  const good = {
    ...own,
    number: 1,
    html_url: 'javascript:alert(1)',
    title: {},
    state: 'open',
    comments: 'many',
  }
  const host = await hostOf(({ url = '' }, response) =>
    response.end(JSON.stringify(url.includes('state=open') ? [...odd, good] : [])),
  )
  const { value } = (await host?.list()) ?? {}
  assert.equal(value, [
    { branch: 'menus/a/b', commit: '', number: 1, url: null, title: '', isOpen: true, comments: null },
  ])
})

test('each kind of host has a page that opens a pull request', () => {
  const wish = { branch: 'menus/ana/a', into: 'live/a b' }
  const place = { web: 'https://host', project: 'shop/site' }
  assert.equal(
    (['github', 'gitlab', 'gitea', 'forgejo'] as const).map((kind) =>
      toOpeningLink({ ...place, kind }, wish),
    ),
    [
      'https://host/shop/site/compare/live/a%20b...menus/ana/a?expand=1',
      'https://host/shop/site/-/merge_requests/new?merge_request%5Bsource_branch%5D=menus%2Fana%2Fa&merge_request%5Btarget_branch%5D=live%2Fa+b',
      'https://host/shop/site/compare/live/a%20b...menus/ana/a',
      'https://host/shop/site/compare/live/a%20b...menus/ana/a',
    ],
  )
})

test.run()
