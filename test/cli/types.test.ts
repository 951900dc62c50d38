import { statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ROOT } from '../readme/readme.js'
import { runProcess } from '../support/process.js'
import { inProject } from './project.js'

const MAIN = `version: 1
code: main
name: Main
items:
  - { label: Home, routeName: home }
  - { type: divider, permissions: [reports.view] }
  - { type: section, label: More, children: [{ label: Old, routeName: unlisted, hidden: true, permissions: [b, a] }] }
`
const FILES = {
  'menus/b.yaml': MAIN,
  'menus/main.partner-7.yaml':
    'version: 1\ncode: main\nname: Main\ncontext: { region: eu, partner: 7 }\nitems: []\n',
  'menus/a.yaml': 'version: 1\ncode: footer\nname: Footer\ncontext: { partner: 3 }\nitems: []\n',
  'menuscript.config.yaml':
    'locales: [es, en]\nroutes: { home: /, contact: /contact }\npermissions: [reports.view, users.edit]\n',
}
const TYPES = `// Written by \`menuscript types\`. Do not edit.

/** The names that the menus and the configuration of this project use. */
export interface MenuTypes {
  readonly code:
    | "footer"
    | "main"
  readonly context:
    | { readonly "partner": 3 }
    | { readonly "partner": 7; readonly "region": "eu" }
  readonly locale:
    | "en"
    | "es"
  readonly routeName:
    | "contact"
    | "home"
    | "unlisted"
  readonly permission:
    | "a"
    | "b"
    | "reports.view"
    | "users.edit"
}
`

test('types prints the names of menus and configuration, in order, and never where there is none', () =>
  inProject(FILES, async ({ run, remove, write }) => {
    assert.equal(await run('types'), { code: 0, stdout: TYPES, stderr: '' })
    for (const path of Object.keys(FILES)) remove(path)
    write('menus/.keep', '')
    const { code, stdout } = await run('types')
    assert.is(code, 0)
    for (const name of ['code', 'context', 'routeName', 'permission'])
      assert.match(stdout, `  readonly ${name}: never\n`)
  }))

test('types --out writes the file only if it is out of date, and --check only says so', () =>
  inProject({ ...FILES, 'src/.keep': '' }, async ({ dir, run, texts, write }) => {
    const file = 'src/menu-types.ts'
    const check = () => run('types', '--out', file, '--check')
    const stale = `note: ${file} is out of date; run menuscript types without --check\n`
    assert.equal(await check(), { code: 1, stdout: '', stderr: stale })
    assert.not.ok(file in texts())
    assert.equal(await run('types', '--out', file), { code: 0, stdout: `${file}\n`, stderr: '' })
    assert.is(texts()[file], TYPES)
    const { ino } = statSync(join(dir, file))
    const fine = { code: 0, stdout: '', stderr: `note: ${file} is up to date\n` }
    assert.equal([await run('types', '--out', file), await check()], [fine, fine])
    assert.is(statSync(join(dir, file)).ino, ino)
    write(file, TYPES.replaceAll('\n', '\r\n'))
    assert.equal(await check(), fine)
    write('menus/a.yaml', FILES['menus/a.yaml'].replace('footer', 'foot'))
    assert.is((await check()).code, 1)
    assert.is((await run('types', '--out', file)).code, 0)
    assert.is(texts()[file], TYPES.replace('footer', 'foot'))
    assert.equal(
      Object.keys(texts()).filter((path) => path.endsWith('.tmp')),
      [],
    )
  }))

test('types writes nothing if a menu has an error, over a file of something else, or where nothing can be', () =>
  inProject(FILES, async ({ run, texts, write, remove }) => {
    write('types.ts', 'export const mine = 1\n')
    write('menus/c.yaml', MAIN.replace('label', 'lable'))
    const before = texts()
    const outcome = async (...args: readonly string[]) => {
      const { code, stderr } = await run('types', ...args)
      assert.equal(texts(), before)
      return `${code} ${stderr}`
    }
    assert.match(
      await outcome('--out', 'menu-types.ts'),
      /^1 menus\/c\.yaml:5:7 error unknown-key\n[\s\S]*nothing was written/,
    )
    remove('menus/c.yaml')
    Reflect.deleteProperty(before, 'menus/c.yaml')
    assert.match(await outcome('--out', 'types.ts'), /^2 error: types\.ts is not a file of types/)
    assert.match(
      await outcome('--out', 'menus/a.yaml/types.ts'),
      /^3 error: menus\/a\.yaml\/types\.ts cannot be written/,
    )
    assert.match(await outcome('--out', 'menus'), /^3 .*menus cannot be read: it is a folder/)
    assert.match(await outcome('--check'), /^2 error: --check compares the file of --out/)
    assert.match(await outcome('--menus', 'nowhere'), /^3 [\s\S]*folder-missing/)
  }))

const ODD = `version: 1
code: odd
name: Odd
context: { "it's\\n*/\\"": "\\u2028\\u202e\`" }
items:
  - { label: A, url: /, permissions: ['a"*/\`\${b}'] }
`

const PROGRAM = `import { createMenuService, openMenus, openStore, registerMenuGlobals, type TemplateEnvironment } from 'menuscript'
import type { MenuTypes } from './menu-types.js'

declare const environment: TemplateEnvironment
declare const user: { partner: number; locale: string }
const { service } = await openMenus<MenuTypes>({
  policies: { generatePath: (name) => (name === 'home' ? '/' : null) },
})
service.tree('main', { locale: 'es', contextSets: [{ partner: user.partner }, null] })
registerMenuGlobals(environment, service)
const name: 'home' | 'contact' | 'unlisted' | null | undefined = service.tree('footer')[0]?.routeName
const permission: MenuTypes['permission'] = 'a"*/\`\${b}'
const context: MenuTypes['context'] = { 'it\\'s\\n*/"': '\\u2028\\u202e\`' }
// @ts-expect-error: a wrong code
service.tree('mian')
// @ts-expect-error: a locale that there is not
service.tree('main', { locale: 'fr' })
// @ts-expect-error: any text may be another locale
service.tree('main', { locale: user.locale })
// @ts-expect-error: a text, where contexts have a number
service.tree('main', { contextSets: [{ partner: '3' }] })
// @ts-expect-error: a wrong key
service.tree('main', { contextSets: [{ partnerId: 3 }] })
// @ts-expect-error: a wrong route
service.tree('main')[0]?.routeName === 'hom'
// @ts-expect-error: a context that no menu has
export const wrong: MenuTypes['context'] = { partner: 4 }

const untyped = createMenuService(await openStore('menus'))
untyped.tree('anything', { locale: user.locale, contextSets: [{ whatever: true }] })
export const typed = createMenuService<MenuTypes>(await openStore('menus')).tree('main')[0]?.children[0]?.routeName
export { context, name, permission }
`

test('TypeScript compiles the types whatever is in a name, and a wrong name of a program is an error', () =>
  inProject(FILES, async ({ dir, run, write, texts }) => {
    write('menus/odd.yaml', ODD)
    assert.equal((await run('types', '--out', 'menu-types.ts')).stderr, '')
    assert.not.match(texts()['menu-types.ts'] ?? '', /[\u2028\u202e]/)
    write('program.ts', PROGRAM)
    write('package.json', '{ "type": "module" }')
    write('node_modules/.keep', '')
    symlinkSync(ROOT, join(dir, 'node_modules/menuscript'))
    symlinkSync(join(ROOT, 'node_modules/@types'), join(dir, 'node_modules/@types'))
    const compilerOptions = {
      module: 'nodenext',
      target: 'es2023',
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      types: ['node'],
    }
    write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['program.ts'] }))
    const { code, stdout } = await runProcess('node', [
      join(ROOT, 'node_modules/typescript/bin/tsc'),
      '-p',
      dir,
    ])
    assert.equal([code, stdout], [0, ''])
  }))

test.run()
