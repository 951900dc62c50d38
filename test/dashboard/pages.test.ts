import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import * as assert from 'uvu/assert'
import { contentHash } from '../../src/store/hash.js'
import { menuText } from '../http/sites.js'
import { figure } from '../support/figures.js'
import { test } from '../support/test.js'
import { userLine } from './access/dashboards.js'
import { editorOf, fieldsOf } from './forms.js'
import { NESTED, textOf } from './managing.js'
import { HOME, openForOperator, openForVisitor, textOfPage } from './visiting.js'

const ITEM = { label: 'Home', url: '/' }
const menuOf = (code: string, more: object): string =>
  JSON.stringify({ version: 1, code, name: code, items: [ITEM], ...more })
const HOSTILE = '"><script>alert(1)</script>{{ 1234567 * 8 }}\u202e'

test('The list has a group for each code and a row for each variant, the one for everyone first', async () => {
  const menus = {
    'a.yaml': menuOf('side', { name: 'Partner three', context: { partner: 3, role: '3' } }),
    'b.yaml': menuOf('side', { name: 'Everyone' }),
    'c.yaml': menuText('main', 'Home'),
    'd.yaml': menuOf('side', { name: 'Partner four', context: { partner: 4 } }),
  }
  const [{ look }] = await openForOperator({ menus })
  const page = textOfPage(await look(HOME))
  assert.match(page, /4 menus .*Everyone 2 variants .*Partner three/)
  assert.match(page, 'Partner 3 Role "3"')
  assert.match(textOfPage(await look(`${HOME}?q=three`)), / 1 of 2 variants /)
})

test('A row says how much is translated, and in which state its file is', async () => {
  const label = (texts: object) => ({ label: texts, url: '/' })
  const items = [label({ en: 'a', de: 'b' }), label({ en: 'a' }), label({ en: 'a', 'de-AT': 'c' }), ITEM]
  const menus = { 'main.yaml': menuOf('main', { items }), 'torn.yaml': 'version: 1\ncode: [' }
  const [visitor] = await openForOperator({ menus, config: { locales: ['en', 'de'] } })
  const { look } = visitor
  const page = textOfPage(await look(HOME))
  assert.match(page, / a · a · a .* 4 items German 50 %/)
  assert.match(page, /One file has an error .* torn\.yaml Line 2, column 7/)
  await editorOf(visitor).fill('/items/1', { 'label:de': 'b' })
  assert.match(textOfPage(await look(HOME)), /Your draft: 1 change 4 items German 75 %/)
})

test('The search finds codes, names, labels, addresses, contexts and problems, all words of it', async () => {
  const menus = {
    'a.yaml': menuOf('alpha', { name: 'First', context: { tenant: 'acme' } }),
    'b.yaml': menuOf('beta', { items: [{ label: { en: 'Lamps', de: 'Leuchten' }, url: '/shop/lamps' }] }),
    'c.yaml': menuOf('gamma', { items: [{ labl: 'x' }] }),
    'd.yaml': menuOf('delta', { items: [{ label: 'Write', routeName: 'contact' }] }),
  }
  const config = { routes: { contact: '/help/people' } }
  const [{ look }] = await openForOperator({ menus, config })
  const found = async (q: string) => {
    const { text } = await look(`${HOME}?q=${encodeURIComponent(q)}`)
    return ['a.yaml', 'b.yaml', 'c.yaml', 'd.yaml'].filter((file) => text.includes(file)).join()
  }
  for (const [q, files] of [
    ['ALPHA', 'a.yaml'],
    ['acme first', 'a.yaml'],
    ['leuchten', 'b.yaml'],
    ['/shop/', 'b.yaml'],
    ['help/people', 'd.yaml'],
    ['unknown-key', 'c.yaml'],
    ['acme lamps', ''],
    ['', 'a.yaml,b.yaml,c.yaml,d.yaml'],
  ] as const)
    assert.is(await found(q), files, q)
  assert.match(textOfPage(await look(`${HOME}?q=zzz`)), 'Nothing matches.')
})

test('The search names the items that it finds, at most three of a menu, and leads to their rows', async () => {
  const lamp = (name: string) => ({ label: { en: `${name} lamps`, de: `${name}leuchten` }, url: '/l' })
  const shop = { type: 'section', label: 'Shop', children: ['Desk', 'Floor', 'Wall', 'Garden'].map(lamp) }
  const [{ look }] = await openForOperator({ menus: { 'b.yaml': menuOf('beta', { items: [shop] }) } })
  const answer = await look(`${HOME}?q=lamps`)
  assert.match(textOfPage(answer), /Shop › Desk lamps Shop › Floor lamps Shop › Wall lamps and 1 more/)
  assert.match(answer.text, 'at=%2Fitems%2F0%2Fchildren%2F2"')
  assert.match(
    textOfPage(await look(`${HOME}?q=wallleuchten`)),
    /History[^›]*Shop › Wall lamps (?!Shop|and )/,
  )
  assert.not.match((await look(`${HOME}?q=beta`)).text, 'class="hits')
})

test('In a menu with an own draft, the search leads to the editor that searches for the item', async () => {
  const [visitor] = await openForOperator({ menus: { 'main.yaml': NESTED } })
  const link = async (): Promise<string> => {
    const { text } = await visitor.look(`${HOME}?q=about`)
    return (/<ul class="hits.*?href="([^"]*)"/s.exec(text)?.[1] ?? '').replaceAll('&amp;', '&')
  }
  assert.match(await link(), 'at=%2Fitems%2F2')
  await editorOf(visitor).press('top', '/items/2')
  assert.match(textOfPage(await visitor.look(await link())), '1 item found')
})

test('A new menu can begin with the items of another one', async () => {
  const [visitor, site] = await openForOperator({ menus: { 'a.yaml': menuOf('alpha', {}) } })
  const page = await visitor.look(`${HOME}/new`)
  assert.match(page.text, '<option value="a.yaml">')
  const form = { ...fieldsOf(page, 'code'), code: 'beta', items: 'a.yaml' }
  const sent = await visitor.send(`${HOME}/new`, form)
  assert.is(sent.status, 303, textOfPage(sent))
  const made = JSON.parse((await site.ask('/api/menu/beta')).text)
  assert.equal(made, JSON.parse((await site.ask('/api/menu/alpha')).text))
  assert.is((await visitor.send(`${HOME}/new`, { ...form, code: 'c', items: 'none.yaml' })).status, 404)
})

test('A list of many menus has pages, and any number leads to one of them', async () => {
  const codes = Array.from({ length: 250 }, (_, place) => `m${String(place).padStart(3, '0')}`)
  const menus = Object.fromEntries(codes.map((code) => [`${code}.yaml`, menuText(code, code)]))
  const [{ look }] = await openForOperator({ menus })
  const shown = async (page: string) => {
    const { text, status } = await look(`${HOME}?page=${page}`)
    assert.is(status, 200)
    return [...text.matchAll(/title="(m\d+) · /g)].map(([, code]) => code)
  }
  assert.equal(await shown('2'), codes.slice(100, 200))
  assert.equal(await shown('99999'), codes.slice(200))
  for (const odd of ['-1', 'x', '1e9', '', 'NaN']) assert.ok((await shown(odd)).length > 0, odd)
})

test('A folder that is empty, or not there yet, teaches the first menu and takes it', async () => {
  const [{ look, fill }, site] = await openForOperator({ menus: {} })
  const page = await look(HOME)
  assert.match(textOfPage(page), 'Create your first menu')
  assert.match(page.text, `href="${HOME}/new"`)
  assert.is((await fill(`${HOME}/new`, { code: 'main', copy: 'on' })).status, 303)
  assert.match(textOf(site), 'code: main')
})

test('The form makes a menu, and its editor says so', async () => {
  const [{ look, fill }, site] = await openForOperator()
  const made = await fill(`${HOME}/new`, { code: 'footer', name: 'Footer', copy: 'on' })
  assert.equal([made.status, made.headers['location']], [303, `${HOME}/edit?file=footer.yaml&did=created`])
  assert.match(textOf(site, 'footer.yaml'), 'name: Footer')
  assert.match(textOfPage(await look(made.headers['location'] ?? '')), 'The new menu is live for everyone.')
})

test('The editor of a variant says that it is live, for whom, and its condition in its heading', async () => {
  const [{ look, fill }] = await openForOperator()
  const made = await fill(`${HOME}/new`, { code: 'main', name: 'Winter', key1: 'season', value1: 'winter' })
  const page = await look(made.headers['location'] ?? '')
  assert.match(textOfPage(page), 'The new menu is live for visitors with Season = winter.')
  assert.match(
    textOfPage({ ...page, text: /<h1>.*?<\/h1>/s.exec(page.text)?.[0] ?? '' }),
    /Winter\s+Season\s+winter/,
  )
})

test('A variant begins with the items of the menu without a context, or without any', async () => {
  const [{ fill }, site] = await openForOperator()
  const pairs = { key1: 'partner', value1: '3', key2: 'tier', value2: '"3"' }
  await fill(`${HOME}/new`, { code: 'main', copy: 'on', ...pairs })
  const text = textOf(site, 'main.partner-3.tier-3.yaml')
  assert.match(text, /partner: 3\b/)
  assert.match(text, /tier: ["']3["']/)
  assert.match(text, 'label: Sales')
  await fill(`${HOME}/new`, { code: 'main', key1: 'partner', value1: '8' })
  assert.not.match(textOf(site, 'main.partner-8.yaml'), 'label: Sales')
})

test('B12: an invalid menu is reported at its field, keeps typed text, and writes nothing', async () => {
  const [{ fill }, { folder }] = await openForOperator()
  const before = hashOf(folder.dir)
  for (const [fields, message] of [
    [{ code: '' }, 'Enter a code.'],
    [{ code: '../etc' }, 'must not begin with a dot'],
    [{ code: 'x'.repeat(65) }, 'up to 64'],
    [{ code: 'main' }, 'A menu with this code and the same conditions already exists, in main.yaml.'],
    [{ code: 'a', value1: '3' }, 'Enter the condition that belongs to this value.'],
    [{ code: 'a', key1: 'k', value1: '1', key2: 'k', value2: '2' }, 'This condition appears twice.'],
    [{ code: 'a', name: 'n'.repeat(300) }, 'name'],
    [{ code: HOSTILE, name: HOSTILE }, 'must not begin with a dot'],
  ] as const) {
    const answer = await fill(`${HOME}/new`, fields)
    assert.ok([409, 422].includes(answer.status), `${answer.status} ${JSON.stringify(fields)}`)
    assert.match(textOfPage(answer), message)
    assert.match(answer.text, 'aria-invalid="true"')
    assert.not.match(answer.text, '<script>')
  }
  assert.is(hashOf(folder.dir), before)
})

test('E3: a form without its token changes nothing, and is shown again with what was typed', async () => {
  const [{ send }, { folder }] = await openForOperator()
  const answer = await send(`${HOME}/new`, { code: 'typed', csrf: 'x' })
  assert.is(answer.status, 403)
  assert.match(answer.text, 'value="typed"')
  assert.match(textOfPage(answer), 'The page was too old, so nothing was changed.')
  assert.not.ok(existsSync(join(folder.dir, 'menus/typed.yaml')))
  const cross = await send(`${HOME}/new`, { code: 'typed' }, { 'sec-fetch-site': 'cross-site' })
  assert.is(cross.status, 403)
})

test('The form of an item or of a menu that cannot be taken is shown again, and is taken later as it is', async () => {
  const [visitor, { folder }] = await openForOperator()
  const { look, send } = visitor
  const { address } = editorOf(visitor)
  for (const [path, field] of [
    [address('item', { item: '/items/0' }), 'label:en'],
    [address('settings'), 'name'],
  ] as const) {
    const fields = { ...fieldsOf(await look(path), 'was'), [field]: 'typed' }
    const old = await send(path, { ...fields, csrf: 'x' })
    folder.remove('.menuscript/drafts')
    folder.write('.menuscript/drafts', '')
    const failed = await send(path, fieldsOf(old, 'was'))
    assert.equal([old.status, failed.status], [403, 503])
    for (const answer of [old, failed]) assert.equal(fieldsOf(answer, 'was'), fields)
    folder.remove('.menuscript/drafts')
    mkdirSync(join(folder.dir, '.menuscript/drafts'))
    assert.is((await send(path, fieldsOf(failed, 'was'))).status, 303)
  }
})

test('Who may only look sees no form, and cannot send one', async () => {
  const policies = `export const resolveOperator = () => ({ id: 'vic', role: 'view' })`
  const [{ look, send }, { folder }] = await openForVisitor({ policies })
  const list = await look(HOME)
  assert.match(textOfPage(list), 'you need the role “edit”')
  assert.not.match(list.text, `${HOME}/new`)
  assert.is((await look(`${HOME}/new`)).status, 403)
  assert.is((await send(`${HOME}/new`, { code: 'a' })).status, 403)
  assert.not.ok(existsSync(join(folder.dir, 'menus/a.yaml')))
})

test('B4: an unwritable folder is reported before anyone types', async () => {
  const users = (dir: string) => writeFileSync(join(dir, 'users'), userLine('ana'))
  const [{ send, look }] = await openForVisitor({
    prepare: (dir) => {
      users(dir)
      writeFileSync(join(dir, 'state'), 'a file where the state folder would be')
      chmodSync(join(dir, 'users'), 0o600)
    },
    config: { state: { dir: 'state' }, dashboard: { users_file: 'users' } },
  })
  await send(`${HOME}/sign-in`, { name: 'ana', password: 'correct horse battery' })
  const list = await look(HOME)
  assert.match(textOfPage(list), 'Menus cannot be changed here')
  assert.match(textOfPage(list), 'Main')
  assert.not.match(list.text, `href="${HOME}/new"`)
})

test('C9: hostile names, labels, contexts and searches are text on every page', async () => {
  const menus = {
    'main.yaml': menuOf('main', {
      name: HOSTILE,
      context: { [HOSTILE]: HOSTILE },
      items: [{ [HOSTILE]: 1 }],
    }),
    'b.yaml': menuOf('b', { name: HOSTILE, context: { __proto__x: HOSTILE } }),
  }
  const [{ look }] = await openForOperator({ menus })
  for (const path of [
    '',
    '/problems',
    `?q=${encodeURIComponent(HOSTILE)}`,
    '/none',
    '/new?code=%22%3E%3Cscript%3E',
  ]) {
    const { text, status } = await look(`${HOME}${path}`)
    assert.ok(status === 200 || path === '/none')
    assert.not.match(text, '<script>')
    assert.not.match(text, '9876536')
  }
})

test('Problems are listed by file with place, picture and advice', async () => {
  const [{ look }] = await openForOperator({
    menus: { 'main.yaml': menuOf('main', { items: [{ labl: 'x', url: '/' }] }) },
  })
  const page = textOfPage(await look(`${HOME}/problems`))
  assert.match(page, /1 error\./)
  assert.match(page, /main\.yaml Error Line 1, column \d+ · Show the item "labl" is not a key/)
  assert.match(page, 'Did you mean "label"?')
  const links = (await look(`${HOME}/problems`)).text
  for (const href of ['/text?file=main.yaml#L1"', '/edit?file=main.yaml&amp;at=%2Fitems%2F0#i-0"'])
    assert.match(links, `href="${HOME}${href}`)
  assert.match((await look(`${HOME}/text?file=main.yaml`)).text, 'id="L1" class="gone"')
  assert.match((await look(`${HOME}/edit?file=main.yaml&at=/items/0`)).text, 'id="i-0"')
  const [well] = await openForOperator()
  assert.match(textOfPage(await well.look(`${HOME}/problems`)), 'All is well')
})

test('Pages are in the language of the browser', async () => {
  const [{ look }] = await openForOperator()
  for (const [header, lang] of [
    ['de-AT,de;q=0.9', 'de'],
    ['fr, en;q=0.5, de;q=0.3', 'en'],
    ['', 'en'],
    ['*'.repeat(900), 'en'],
  ] as const) {
    for (const path of ['', '/new', '/problems', '/none']) {
      const { text, headers } = await look(`${HOME}${path}`, { 'accept-language': header })
      assert.match(text, `<html lang="${lang}"`)
      assert.is(headers['content-language'], lang)
    }
  }
})

test('E9: every answer has its guards, errors and assets too, and no page asks for anything from elsewhere', async () => {
  const [{ look, send }] = await openForOperator()
  const { text } = await look(HOME)
  const assets = [...text.matchAll(/(?:href|src)="([^"]*\/assets\/[^"]*)"/g)].map(([, path = '']) => path)
  assert.is(new Set(assets).size, 4)
  const answers = [
    ...(await Promise.all(
      ['', '/none', '/new', '/sign-in', '/assets/none', '/api/none', '/sign-out'].map((path) =>
        look(`${HOME}${path}`),
      ),
    )),
    ...(await Promise.all(assets.map((path) => look(path)))),
    await send(HOME, {}),
  ]
  for (const { headers, status } of answers) {
    assert.match(headers['content-security-policy'] ?? '', "frame-ancestors 'none'", `${status}`)
    assert.not.match(headers['content-security-policy'] ?? '', 'unsafe')
    assert.is(headers['x-content-type-options'], 'nosniff')
    assert.is(headers['cross-origin-opener-policy'], 'same-origin')
    assert.is(headers['referrer-policy'], 'same-origin')
  }
  assert.not.match(text, /<script(?! type="module" src="[^:"]*"><\/script>)|style=|\son\w+=|https?:\/\//)
})

test('The script of the dashboard has at most 24 KB and its style sheet 9 KB, compressed', async () => {
  const [{ look }] = await openForOperator()
  const { text } = await look(HOME)
  for (const [ending, most] of [
    ['js', 24 * 1024],
    ['css', 9 * 1024],
  ] as const) {
    const [, path = ''] = new RegExp(`(?:href|src)="([^"]*\\.${ending})"`).exec(text) ?? []
    const { headers } = await look(path, { 'accept-encoding': 'gzip' })
    const size = Number(headers['content-length'])
    figure(`Dashboard, .${ending}, compressed`, `${size} bytes`, `${most} bytes`)
    assert.ok(size > 1024 && size <= most, `${ending}: ${size}`)
  }
})

test('The address of the dashboard may end with a slash', async () => {
  const [{ look }] = await openForOperator()
  const pages = await Promise.all([`${HOME}/?q=Sales`, `${HOME}?q=Sales`].map((path) => look(path)))
  assert.equal(
    pages.map(({ status }) => status),
    [200, 200],
  )
  assert.is(new Set(pages.map(textOfPage)).size, 1)
})

test('D5, D10: assets are cached for good, in every coding, and know neither ranges nor other methods', async () => {
  const [{ look, send }] = await openForOperator()
  const [, path = ''] = /href="([^"]*\.css)"/.exec((await look(HOME)).text) ?? []
  const plain = await look(path)
  assert.match(plain.headers['cache-control'] ?? '', 'immutable')
  assert.ok(path.includes(contentHash(plain.body).slice(0, 12)))
  const small = await look(path, { 'accept-encoding': 'gzip', range: 'bytes=5-2' })
  assert.equal([small.status, small.headers['content-encoding']], [200, 'gzip'])
  assert.is((await send(path, {})).status, 405)
  assert.is((await look(`${HOME}/assets/..%2f..%2fpackage.json`)).status, 404)
})

for (const path of ['edit?file=main.yaml', 'api/icons?limit=1000'])
  test(`What ${path} answers is compressed for an operator or one of our pages, and plain for all others`, async () => {
    const config = { icons: ['names.txt'] }
    const prepare = (dir: string) =>
      writeFileSync(
        join(dir, 'names.txt'),
        'own:name\n'.repeat(99).replaceAll(/name/g, (name, at) => name + at),
      )
    const [{ look }] = await openForOperator({ config, prepare })
    const plain = await look(`${HOME}/${path}`)
    const asked = (relation: string, accepted: string) =>
      look(`${HOME}/${path}`, { 'sec-fetch-site': relation, 'accept-encoding': accepted })
    for (const relation of ['same-origin', 'none']) {
      const [br, gzip] = [await asked(relation, 'gzip, br'), await asked(relation, 'gzip')]
      assert.equal(
        [br, gzip].map(({ headers }) => headers['content-encoding']),
        ['br', 'gzip'],
      )
      for (const body of [brotliDecompressSync(br.body), gunzipSync(gzip.body)])
        assert.is(body.toString(), plain.text)
      assert.match(br.headers['vary'] ?? '', 'Sec-Fetch-Site')
    }
    assert.is((await asked('same-origin', 'identity')).text, plain.text)
    for (const relation of ['same-site', 'cross-site', 'odd'])
      assert.is((await asked(relation, 'gzip, br')).headers['content-encoding'], undefined, relation)
  })

test('D6, D14: other methods, bodies that are too large and no forms are refused with a page', async () => {
  const [{ send }, { ask }] = await openForOperator()
  const put = await ask(`${HOME}/new`, {
    method: 'PUT',
    headers: { 'sec-fetch-site': 'same-origin', accept: 'text/html' },
  })
  assert.is(put.status, 405)
  assert.is((await send(`${HOME}/problems`, {})).status, 405)
  assert.is((await send(`${HOME}/new`, { code: 'x'.repeat(70_000) })).status, 413)
  assert.is((await send(`${HOME}/new`, {}, { 'content-type': 'application/json' })).status, 415)
})

test('Browsers that open / get the dashboard; other clients get the overview', async () => {
  const [{ look }, { ask }] = await openForVisitor()
  const { status, headers } = await look('/')
  assert.equal([status, headers['location']], [303, HOME])
  assert.is((await ask('/')).status, 200)
  assert.match((await ask('/')).text, '"menuscript"')
})

test('Every link of every page leads somewhere, and no GET changes a menu, a draft or a version', async () => {
  const menus = {
    'main.yaml': NESTED,
    'fresh.yaml': menuText('fresh', 'Home'),
    'torn.yaml': 'version: 1\ncode: [',
  }
  const [visitor, { folder }] = await openForOperator({ menus })
  const { press, review } = editorOf(visitor)
  await press('up', '/items/1')
  await review('publish')
  await press('remove', '/items/0')
  await press('undo')
  await press('nest', '/items/1')
  const before = hashOf(folder.dir)
  const seen = new Set([HOME])
  for (const path of seen) {
    const { text, status } = await visitor.look(path)
    assert.ok(status < 400, `${status} ${path}`)
    // What is in a template is not on the page.
    const shown = text.replace(/<template.*?<\/template>/gs, '')
    for (const [, link = ''] of shown.matchAll(/href="([^"#]+)/g)) {
      const { origin, pathname, search } = new URL(link.replaceAll('&amp;', '&'), `http://here${path}`)
      if (origin === 'http://here') seen.add(pathname + search)
    }
  }
  for (const part of [
    'text?file=torn.yaml',
    'keys',
    'item?file=main.yaml&item=/items/0',
    'review?file=main.yaml',
  ])
    assert.ok(seen.has(`${HOME}/${part}`), `${part} in ${[...seen].join(' ')}`)
  assert.is(hashOf(folder.dir), before)
})

/** All bytes of a site, in short, but for the record of who did what. */
function hashOf(dir: string): string {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter(
    (each) => each.isFile() && each.name !== 'audit.log',
  )
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).sort()
  return contentHash(paths.map((path) => `${path}\n${readFileSync(path, 'latin1')}`).join('\n'))
}

test('Where nothing can be written, each item has its line in the file, and no page asks for a fix', async () => {
  const policies = `export const resolveOperator = () => ({ id: 'ana', role: 'edit' })`
  const menus = { 'main.yaml': NESTED, 'torn.yaml': 'version: 1\ncode: [' }
  const prepare = (dir: string) => writeFileSync(join(dir, 'file'), '')
  const [{ look }] = await openForVisitor({
    menus,
    policies,
    prepare,
    config: { state: { dir: 'file/state' } },
  })
  const pageOf = async (path: string) => textOfPage(await look(`${HOME}/${path}`))
  assert.match(await pageOf('edit?file=main.yaml'), /Home \/ Line 5 .* Lamps \/lamps Line 10 /)
  const broken = await pageOf('edit?file=torn.yaml')
  assert.match(broken, 'Menus cannot be changed here')
  assert.not.match(broken, 'Fix its text')
  assert.match(await pageOf('text?file=torn.yaml'), 'Source of the file')
})

test.run()
