import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { openMenus, registerMenuGlobals } from '../../src/index.js'
import { SILENT_LOG } from '../../src/service/log.js'
import { menuscript } from '../cli/command.js'
import { openSite } from '../http/sites.js'
import { sameContext } from '../model/oracle.js'
import { ENGINES } from '../nunjucks/engines.js'
import { folders, SITE } from '../service/arbitraries.js'
import { toText } from '../service/services.js'
import { SEED, sized } from '../support/figures.js'
import { closing, test } from '../support/test.js'
import { namesIn, namesOf, readExport } from './exports.js'

// The law of the export: each file has the very bytes that the endpoint answers an anonymous viewer.

const CONFIG = {
  locales: SITE.locales,
  default_locale: SITE.defaultLocale,
  routes: SITE.routes,
  icon_library_prefix_map: SITE.prefixes,
}
const [engine] = ENGINES
const [PAST, SOON, LATER] = ['2001-01-01T00:00:00Z', '2101-01-01T00:00:00Z', '2102-01-01T00:00:00.000Z']
const WINDOWS = [
  { opens: true },
  { opens: true },
  { opens: true, visibleFrom: PAST, visibleUntil: LATER },
  { opens: false, visibleUntil: PAST },
  { opens: false, visibleFrom: SOON },
] as const

const sites = fc.record({
  menus: folders.chain((menus) =>
    fc.tuple(...menus.map((menu) => fc.tuple(fc.constant(menu), fc.constantFrom(...WINDOWS)))),
  ),
  members: fc.constantFrom([], ['id', 'attributes']),
})

test('Each file has the bytes that the endpoint answers, for each code, context and locale', async () => {
  const law = fc.asyncProperty(sites, async ({ menus, members }) => {
    const texts = menus.map(([menu, { opens: _, ...window }], place) => {
      return [`${place}.yaml`, toText({ ...menu, ...window })] as const
    })
    const config = { ...CONFIG, api: { node_members: members } }
    const prepare = (dir: string) => mkdirSync(join(dir, 'menus'), { recursive: true })
    const site = await openSite(Object.fromEntries(texts), { config, prepare })
    const runtime = await openMenus({
      folder: site.folder.dir,
      watch: false,
      environment: {},
      log: SILENT_LOG,
    })
    try {
      const { code, stderr } = await menuscript(['build', '--out', 'out', '--html'], { cwd: site.folder.dir })
      assert.is(code, 0, stderr)
      const out = join(site.folder.dir, 'out')
      const manifest = readExport(out)
      const environment = (engine as (typeof ENGINES)[number]).create()
      registerMenuGlobals(environment, runtime.service, { log: SILENT_LOG })
      const bounds = menus
        .flatMap(([, window]) => Object.values(window))
        .filter((time) => time === SOON || time === LATER)
      assert.is(
        manifest.until,
        bounds.length === 0 ? null : new Date([...bounds].sort()[0] ?? '').toISOString(),
      )
      assert.equal(new Set(namesOf(manifest)), new Set(namesIn(out).filter((name) => name !== 'menus.json')))
      for (const [{ code: name, context, items }, { opens }] of menus) {
        const variant = manifest.menus[name]?.find((each) => sameContext(each.context as never, context))
        assert.is(variant !== undefined, opens, name)
        const permitted = JSON.stringify(items).includes('"permissions":["')
        if (variant !== undefined) assert.is(variant.anonymous ?? false, permitted)
        for (const locale of SITE.locales) {
          const sets = encodeURIComponent(JSON.stringify([context]))
          const answer = await site.ask(`/api/menu/${name}?_locale=${locale}&_context_sets=${sets}`)
          if (variant === undefined) {
            assert.is(answer.text, '[]')
            continue
          }
          const json = readFileSync(join(out, variant.json[locale] ?? ''))
          assert.ok(json.equals(answer.body), `${json} is not ${answer.text}`)
          assert.is(variant.version, answer.headers['menu-version'])
          const call = '{{ dashboard_menu_html(code, locale, sets) }}'
          const html = environment.renderString(call, { code: name, locale, sets: [context] })
          assert.is(readFileSync(join(out, variant.html?.[locale] ?? ''), 'utf8'), html)
        }
      }
      for (const name of namesOf(manifest)) checkFile(join(out, name))
    } finally {
      await runtime.close()
      await site.close()
    }
  })
  await fc.assert(law, { numRuns: sized(25, 300), seed: SEED })
})

/** A name has the hash of the content, and what is compressed beside it is smaller and holds the same. */
function checkFile(path: string): void {
  const bytes = readFileSync(path)
  const [, hash] = /\.([0-9a-f]{12})\.\w+$/.exec(path) ?? []
  assert.is(hash, createHash('sha256').update(bytes).digest('hex').slice(0, 12))
  for (const [ending, unpack] of [
    ['gz', gunzipSync],
    ['br', brotliDecompressSync],
  ] as const) {
    if (!existsSync(`${path}.${ending}`)) {
      assert.ok(bytes.length < 256, path)
      continue
    }
    const packed = readFileSync(`${path}.${ending}`)
    assert.ok(packed.length < bytes.length && unpack(packed).equals(bytes), path)
  }
}

test('Hooks get the request of builds and the anonymous viewer, and decide as they do for the endpoint', async () => {
  const policies = `
    export const prepareRequest = async (request) => { request.ready = true }
    export const resolveViewer = () => { throw new Error('not asked') }
    export const resolveMenuCode = (request, hint) => (hint === 'old' ? 'new' : hint)
    export const generatePath = (name, params, request) =>
      '/' + JSON.stringify([name, request.ready, request.locale, request.headers, request.params, request.url])
    export const canView = (item, viewer) => item.id !== 'secret' && viewer.id === null && viewer.permissions.length === 0
  `
  const items = [
    { label: 'A', routeName: 'a' },
    { id: 'secret', label: 'B', url: '/b' },
  ]
  const menu = (code: string, context: object) =>
    JSON.stringify({ version: 1, code, name: code, context, items })
  const menus = { 'a.yaml': menu('old', {}), 'b.yaml': menu('new', { shop: 1 }), 'c.yaml': menu('new', {}) }
  const site = closing(
    await openSite(menus, { policies, config: { locales: ['en', 'es'], routes: { a: '/a' } } }),
  )
  assert.is((await menuscript(['build', '--out', 'out'], { cwd: site.folder.dir })).code, 0)
  const { menus: built } = readExport(join(site.folder.dir, 'out'))
  assert.equal(
    built['old']?.map(({ context, anonymous }) => [context, anonymous]),
    [
      [{ shop: 1 }, true],
      [{}, true],
    ],
  )
  const text = readFileSync(join(site.folder.dir, 'out', built['old']?.[0]?.json['es'] ?? ''), 'utf8')
  const [node, ...others] = JSON.parse(text)
  const url = `/api/menu/old?_locale=es&_context_sets=${encodeURIComponent('[{"shop":1}]')}`
  assert.is(node.href, `/${JSON.stringify(['a', true, 'es', {}, {}, url])}`)
  assert.equal(others, [])
})

for (const [name, policies] of Object.entries({
  throws: 'export const resolveMenuCode = () => { throw new Error("no") }',
  hides: 'export const canView = () => "yes"',
})) {
  test(`A hook that ${name} by mistake ends the build, and nothing is written`, async () => {
    const menus = { 'a.yaml': 'version: 1\ncode: a\nname: A\nitems: [{ label: A, url: /a }]\n' }
    const { folder } = closing(await openSite(menus, { policies }))
    const { code, stderr } = await menuscript(['build', '--out', 'out'], { cwd: folder.dir })
    assert.is(code, 3)
    assert.match(stderr, /note: the hook \w+ failed: /)
    assert.not(existsSync(join(folder.dir, 'out')))
  })
}

test.run()
