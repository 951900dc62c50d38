import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import type { OpenSite } from '../http/sites.js'
import { menuText } from '../http/sites.js'
import { test } from '../support/test.js'
import { fieldsOf } from './forms.js'
import {
  ADMIN,
  type Asked,
  codeOf,
  draftOf,
  keptIds,
  MENU,
  openForScript,
  renamed,
  type Script,
  scriptOf,
  textOf,
  versionOf,
} from './managing.js'
import { HOME, openForOperator, type Visitor } from './visiting.js'

const MENUS = { 'main.yaml': MENU, 'side.yaml': menuText('side', 'Side') }
const IF_NEW = { headers: { 'if-none-match': '*' } }
const NEW = menuText('new', 'Mine')

/** A request that was decided on what the files were. */
type Judged = readonly [method: string, path: string, asked: Asked]

interface Case {
  /** The file that is not what it was; new.yaml did not exist. */
  readonly file: string
  /** Makes the request before the others publish. */
  readonly judge: (script: Script, version: string) => Promise<Judged>
}

const bare = (tag: string): string => tag.replaceAll('"', '')
const place = async (script: Script, file: string) => ({
  ...{ file, pointer: '/items/0' },
  version: bare(await versionOf(script, file)),
})
/** The id of an earlier text of a file, which is as it was. */
const earlier = async (script: Script, file: string = 'main.yaml'): Promise<string> => {
  for (const name of ['Old', 'Now'])
    await script('PATCH', `/menu?file=${file}`, {
      body: renamed(name),
      version: await versionOf(script, file),
    })
  return (await keptIds(script, file)).at(-1) ?? ''
}
const importing = async (script: Script, code: string): Promise<Judged> => {
  const menus = [{ menu: { code, name: 'Mine' }, items: [{ label: 'Mine', externalUrl: '/mine' }] }]
  const path = '/import?mode=replace'
  const { versions } = (await script('POST', `${path}&dry_run=true`, { body: { menus } })).json() as {
    versions: object
  }
  return ['POST', path, { body: { menus, versions } }]
}

const CASES: Readonly<Record<string, Case>> = {
  'a patch': {
    file: 'main.yaml',
    judge: async (_, version) => ['PATCH', '/menu?file=main.yaml', { body: renamed('Mine'), version }],
  },
  'a text': {
    file: 'main.yaml',
    judge: async (_, version) => ['PUT', '/source?file=main.yaml', { body: NEW, type: 'text/yaml', version }],
  },
  'a text in a new file': {
    file: 'new.yaml',
    judge: async () => ['PUT', '/source?file=new.yaml', { body: NEW, type: 'text/yaml', ...IF_NEW }],
  },
  'a deletion': {
    file: 'main.yaml',
    judge: async (_, version) => ['DELETE', '/menu?file=main.yaml', { version }],
  },
  'a new menu': {
    file: 'new.yaml',
    judge: async () => ['POST', '/menus', { body: { code: 'mine', file: 'new.yaml' } }],
  },
  'a copy': {
    file: 'main.yaml',
    judge: async (_, version) => [
      'POST',
      '/copy',
      { body: { file: 'main.yaml', version: bare(version), code: 'mine' } },
    ],
  },
  'a copy to a new file': {
    file: 'new.yaml',
    judge: async () => ['POST', '/copy', { body: { file: 'main.yaml', code: 'mine', to: 'new.yaml' } }],
  },
  'a restore': {
    file: 'main.yaml',
    judge: async (script) => {
      const id = await earlier(script)
      return ['POST', '/restore?file=main.yaml', { body: { id }, version: await versionOf(script) }]
    },
  },
  'a restore of an item': {
    file: 'main.yaml',
    judge: async (script) => {
      const body = { id: await earlier(script), pointer: '/items/0' }
      return ['POST', '/restore?file=main.yaml', { body, version: await versionOf(script) }]
    },
  },
  'a restore of a file that was gone': {
    file: 'new.yaml',
    judge: async (script) => {
      await script('PUT', '/source?file=new.yaml', { body: NEW, type: 'text/yaml', ...IF_NEW })
      const id = await earlier(script, 'new.yaml')
      await script('DELETE', '/menu?file=new.yaml', { version: await versionOf(script, 'new.yaml') })
      return ['POST', '/restore?file=new.yaml', { body: { id }, ...IF_NEW }]
    },
  },
  'a move from a menu': {
    file: 'main.yaml',
    judge: async (script) => {
      const body = { from: await place(script, 'main.yaml'), to: await place(script, 'side.yaml') }
      return ['POST', '/move', { body }]
    },
  },
  'a move to a menu': {
    file: 'main.yaml',
    judge: async (script) => {
      const body = { from: await place(script, 'side.yaml'), to: await place(script, 'main.yaml') }
      return ['POST', '/move', { body }]
    },
  },
  'an import': { file: 'main.yaml', judge: (script) => importing(script, 'main') },
  'an import of a new menu': { file: 'new.yaml', judge: (script) => importing(script, 'new') },
  'choices at conflicts': {
    file: 'main.yaml',
    judge: async (script, version) => {
      const body = { version: bare(version), choices: {} }
      return ['POST', `${await draftOf(script, renamed('Mine'))}/resolve`, { body }]
    },
  },
  'a draft as a new file': {
    file: 'new.yaml',
    judge: async (script) => ['POST', `${await draftOf(script, renamed('Mine'))}/publish?file=new.yaml`, {}],
  },
}

/** What others do to a file meanwhile. */
async function publishTheirs(script: Script, file: string): Promise<void> {
  const theirs =
    file === 'new.yaml'
      ? await script('PUT', `/source?file=${file}`, {
          body: menuText('new', 'Theirs'),
          type: 'text/yaml',
          ...IF_NEW,
        })
      : await script('PATCH', `/menu?file=${file}`, {
          body: renamed('Theirs'),
          version: await versionOf(script, file),
        })
  assert.ok(theirs.status < 300, theirs.text)
}

/** The texts of all menu files. */
function textsOf(site: OpenSite): object {
  const names = readdirSync(join(site.folder.dir, 'menus')).sort()
  return Object.fromEntries(names.map((name) => [name, textOf(site, name)]))
}

for (const [name, { file, judge }] of Object.entries(CASES)) {
  test(`E22: ${name}, after someone else published ${file}, is 412 with both versions, and overwrites nothing`, async () => {
    const [script, site] = await openForScript({ menus: MENUS })
    const [method, path, asked] = await judge(script, await versionOf(script))
    const before = file === 'new.yaml' ? null : bare(await versionOf(script, file))
    await publishTheirs(script, file)
    const texts = textsOf(site)
    const answer = await script(method, path, asked)
    assert.is(codeOf(answer), '412 changed', answer.text)
    const { file: other, asked: shown, version } = answer.json() as Record<string, unknown>
    assert.equal([other, shown, version], [file, before, bare(await versionOf(script, file))])
    assert.equal(textsOf(site), texts)
  })
}

test('E22: a draft is not discarded with a step that another tab added since', async () => {
  const [script] = await openForScript()
  const draft = await draftOf(script, renamed('A'))
  const { etag: version = '' } = (await script('GET', draft)).headers
  await script('PATCH', draft, { body: renamed('B') })
  assert.is(codeOf(await script('DELETE', draft, { version })), '412 draft-changed')
  assert.is(codeOf(await script('DELETE', draft, { version: '"x"' })), '400 bad-version')
  assert.is((await script('GET', draft)).status, 200)
  assert.is((await script('DELETE', draft, { version: '"2"' })).status, 204)
})

/** A form of a page, filled in before the others publish. */
interface Form {
  readonly file: string
  /** The address that it is sent to, and its fields. */
  readonly judge: (
    visitor: Visitor,
    script: Script,
  ) => Promise<readonly [path: string, fields: Record<string, string>]>
  readonly status?: number
}

const at = (page: string, more: string = ''): string => `${HOME}/${page}?file=main.yaml${more}`
const shown = async ({ look }: Visitor, path: string, having: string, fields: object) =>
  [path, { ...fieldsOf(await look(path), having), ...fields }] as const
const payload = (code: string) =>
  JSON.stringify({ menu: { code, name: 'Mine' }, items: [{ label: 'Mine', externalUrl: '/mine' }] })
const planned = async ({ look, send }: Visitor, code: string) => {
  const fields = { json: payload(code), mode: 'replace', do: 'check' }
  const plan = await send(`${HOME}/import`, { ...fieldsOf(await look(`${HOME}/import`), 'state'), ...fields })
  return [`${HOME}/import`, { ...fieldsOf(plan, 'state'), do: 'import' }] as const
}
const reviewed = async (visitor: Visitor, fields: object) => {
  const settings = await shown(visitor, at('settings'), 'was', { name: 'Mine' })
  assert.is((await visitor.send(...settings)).status, 303)
  return shown(visitor, at('review'), 'state', fields)
}

const FORMS: Readonly<Record<string, Form>> = {
  'a text': {
    file: 'main.yaml',
    judge: (visitor) => shown(visitor, at('text'), 'version', { text: NEW, do: 'publish' }),
  },
  'a deletion': { file: 'main.yaml', judge: (visitor) => shown(visitor, at('delete'), 'version', {}) },
  'a restore': {
    file: 'main.yaml',
    judge: async (visitor, script) =>
      shown(visitor, at('history', `&from=${await earlier(script)}`), 'version', {}),
  },
  'a restore of an item': {
    file: 'main.yaml',
    judge: async (visitor, script) =>
      shown(visitor, at('history', `&from=${await earlier(script)}`), 'version', { item: '/items/0' }),
  },
  'a copy': {
    file: 'main.yaml',
    judge: (visitor) => shown(visitor, `${HOME}/new?from=main.yaml`, 'from', { code: 'mine' }),
  },
  'an import': { file: 'main.yaml', judge: (visitor) => planned(visitor, 'main') },
  'an import of a new menu': { file: 'new.yaml', judge: (visitor) => planned(visitor, 'new') },
  'a publish': { file: 'main.yaml', status: 409, judge: (visitor) => reviewed(visitor, { do: 'publish' }) },
  'a publish as a new file': {
    file: 'new.yaml',
    judge: (visitor) => reviewed(visitor, { do: 'elsewhere', newFile: 'new.yaml' }),
  },
}

for (const [name, { file, judge, status = 412 }] of Object.entries(FORMS)) {
  test(`E22: ${name} by a form, shown before someone else published ${file}, overwrites nothing`, async () => {
    const [visitor, site] = await openForOperator({ adminToken: ADMIN, menus: MENUS })
    const script = scriptOf(site)
    const [path, fields] = await judge(visitor, script)
    await publishTheirs(script, file)
    const texts = textsOf(site)
    const answer = await visitor.send(path, fields)
    assert.is(answer.status, status, answer.text)
    assert.equal(textsOf(site), texts)
  })
}

test.run()
