import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { fileOf } from '../support/snapshot-of.js'
import { menuText } from './command.js'
import { inProject, type Project } from './project.js'

/** A schema that is found, so that nothing but the menu itself is written. */
const WITH_SCHEMA = { 'schemas/menu.schema.json': '{ "$id": "urn:menuscript:schema:menu" }' }

/** Runs `new` and gives the file that it names; throws with what it said when it made none. */
async function make(project: Project, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await project.run('new', ...args)
  if (code !== 0) throw new Error(`new ended with ${code}: ${stderr}`)
  return stdout.trimEnd()
}

/** What lint has to say about a project; nothing when all is fine. */
async function faultsOf({ run }: Project): Promise<readonly unknown[]> {
  const { stdout } = await run('lint', '--json')
  return (JSON.parse(stdout) as { readonly problems: readonly unknown[] }).problems
}

test('new writes CODE.yaml, names it on stdout and nothing else, and lint finds no problem in it', async () => {
  await inProject(WITH_SCHEMA, async (project) => {
    const { code, stdout, stderr } = await project.run('new', 'partner-sidebar')
    assert.equal([code, stdout, stderr], [0, 'menus/partner-sidebar.yaml\n', ''])
    const text = project.texts()['menus/partner-sidebar.yaml'] ?? ''
    const { menu, problems } = fileOf('x.yaml', text)
    assert.equal(
      [menu?.code, menu?.name, menu?.context, problems],
      ['partner-sidebar', 'Partner sidebar', {}, []],
    )
    assert.match(text, /^# yaml-language-server: \$schema=\.\.\/schemas\/menu\.schema\.json\nversion: 1\n/)
    assert.equal(await faultsOf(project), [])
    assert.match((await project.run('explain', 'partner-sidebar')).stdout, 'menus/partner-sidebar.yaml:3')
  })
})

test('new --json prints the file, the code and the context as one JSON value', async () => {
  await inProject(WITH_SCHEMA, async ({ run }) => {
    const { code, stdout, stderr } = await run('new', 'main', '--json', '--context', '{"id": 3}')
    assert.equal([code, stderr], [0, ''])
    const told: unknown = JSON.parse(stdout)
    assert.equal(told, { version: 1, file: 'menus/main.id-3.yaml', code: 'main', context: { id: 3 } })
  })
})

test('A variant is CODE.KEY-VALUE.yaml and holds the context, in its order', async () => {
  await inProject(WITH_SCHEMA, async (project) => {
    const file = await make(project, 'main', '--context', '{"partnerId": 3, "plan": "pro"}')
    assert.is(file, 'menus/main.partnerId-3.plan-pro.yaml')
    const { menu } = fileOf('x.yaml', project.texts()[file] ?? '')
    assert.is(JSON.stringify(menu?.context), '{"partnerId":3,"plan":"pro"}')
    assert.equal(await faultsOf(project), [])
  })
})

/** Contexts of which JSON, YAML and file names think differently. */
const ODD_CONTEXTS: readonly string[] = [
  '{"id": "3"}',
  '{"id": true, "on": null}',
  '{"a/b": "../../c", "..": ".."}',
  '{"__proto__": 1}',
  '{"stadt": "Köln", "名": "値", "": " "}',
]

test('The file holds any given context unchanged, is in the menus folder, and lint finds no problem', async () => {
  await inProject(WITH_SCHEMA, async (project) => {
    for (const context of ODD_CONTEXTS) {
      const file = await make(project, 'main', '--context', context)
      assert.match(file, /^menus\/main\.[\w.-]+\.yaml$/)
      const { menu, problems } = fileOf('x.yaml', project.texts()[file] ?? '')
      assert.is(JSON.stringify(menu?.context), JSON.stringify(JSON.parse(context)))
      assert.equal(problems, [], context)
    }
    assert.equal(await faultsOf(project), [])
    const elsewhere = Object.keys(project.texts()).filter((path) => !path.startsWith('menus/main.'))
    assert.equal(elsewhere.sort(), ['.git/HEAD', ...Object.keys(WITH_SCHEMA)])
  })
})

test('A null or empty context counts as none: the file has none', async () => {
  await inProject(WITH_SCHEMA, async (project) => {
    for (const [code, context] of [
      ['a', 'null'],
      ['b', '{}'],
      ['c', ''],
    ] as const) {
      const file = await make(project, code, '--context', context)
      assert.is(file, `menus/${code}.yaml`)
      assert.not.match(project.texts()[file] ?? '', 'context')
    }
  })
})

test('Codes and names that YAML reads as something else stay texts', async () => {
  await inProject(WITH_SCHEMA, async (project) => {
    for (const [code, name] of [
      ['null', 'no'],
      ['---', '- x: y # z'],
    ] as const) {
      const file = await make(project, `--name=${name}`, '--', code)
      assert.is(file, `menus/${code}.yaml`)
      const { menu, problems } = fileOf('x.yaml', project.texts()[file] ?? '')
      assert.equal([menu?.code, menu?.name, problems], [code, name, []])
    }
    assert.equal(await faultsOf(project), [])
  })
})

test('A long context gives a name and a file name of bounded length, with no half characters', async () => {
  await inProject(WITH_SCHEMA, async (project) => {
    const context = JSON.stringify({ plan: '😀'.repeat(150), text: 'a'.repeat(300) })
    const file = await make(project, 'main', '--context', context)
    assert.ok(Buffer.byteLength(file) <= 'menus/'.length + 120)
    const { menu, problems } = fileOf('x.yaml', project.texts()[file] ?? '')
    assert.is(JSON.stringify(menu?.context), context)
    assert.equal(problems, [])
    assert.not.match(menu?.name ?? '', /\p{Cs}/u, 'The name ends in half a character.')
  })
})

test('A taken file name gets a number, in any case, even if the existing file is broken', async () => {
  const files = { ...WITH_SCHEMA, 'menus/Main.yaml': menuText('Main'), 'menus/side.yaml': 'a: [' }
  await inProject(files, async (project) => {
    assert.is(await make(project, 'main'), 'menus/main-2.yaml')
    assert.is(await make(project, 'MAIN'), 'menus/MAIN-3.yaml')
    assert.is(await make(project, 'side'), 'menus/side-2.yaml')
    const texts = project.texts()
    assert.equal([texts['menus/Main.yaml'], texts['menus/side.yaml']], [menuText('Main'), 'a: ['])
  })
})

test('A file name that something else than a file has is taken as well', async () => {
  await inProject({ ...WITH_SCHEMA, 'menus/main.yaml/x.txt': '' }, async (project) => {
    assert.is(await make(project, 'main'), 'menus/main-2.yaml')
  })
})

test('With storage.file_prefix the name begins with it, and the files of other services take no name', async () => {
  const files = {
    ...WITH_SCHEMA,
    'menuscript.config.yaml': 'storage: { file_prefix: shop_ }\n',
    'menus/main.yaml': menuText('main'),
  }
  await inProject(files, async (project) => {
    assert.is(await make(project, 'main'), 'menus/shop_main.yaml')
    assert.is(await make(project, 'main', '--context', '{"id": 1}'), 'menus/shop_main.id-1.yaml')
    assert.is((await project.run('explain', 'main')).code, 0)
    const { code, stderr } = await project.run('new', 'side', '--file', 'menus/side.yaml')
    assert.is(code, 2)
    assert.match(stderr, /^error: menus\/side\.yaml.*shop_/)
  })
})

test('--file sets the place, folders on the way are made, and the file is named from the current folder', async () => {
  await inProject({ ...WITH_SCHEMA, 'menus/x.txt': '' }, async (project) => {
    assert.is(await make(project, 'main', '--file', 'menus/shop/deep/first.yml'), 'menus/shop/deep/first.yml')
    assert.is(await make(project, 'side', '--file', './menus/../menus/side.yaml'), 'menus/side.yaml')
    assert.is(await make(project, 'far', '--file', `${project.dir}/menus/far.yaml`), 'menus/far.yaml')
    assert.equal(await faultsOf(project), [])
    for (const code of ['main', 'side', 'far']) assert.is((await project.run('explain', code)).code, 0)
  })
})

test('When two commands make the same menu at once, one makes it and the other is refused', async () => {
  await inProject(WITH_SCHEMA, async ({ run, texts }) => {
    const names = ['First', 'Second']
    const outcomes = await Promise.all(names.map((name) => run('new', 'main', '--name', name)))
    const winner = names[outcomes.findIndex(({ code }) => code === 0)]
    assert.is(outcomes.filter(({ code }) => code === 0).length, 1)
    assert.equal(
      Object.keys(texts()).filter((path) => path.startsWith('menus/')),
      ['menus/main.yaml'],
    )
    assert.match(texts()['menus/main.yaml'] ?? '', `name: ${winner}\n`)
  })
})

test('A missing menus folder is made, the one that the configuration names', async () => {
  const files = { ...WITH_SCHEMA, 'conf/c.yaml': 'storage: { connections: { default: ../site/menus } }\n' }
  await inProject(files, async (project) => {
    assert.is(await make(project, 'main', '--config', 'conf/c.yaml'), 'site/menus/main.yaml')
    assert.is((await project.run('lint', '--config', 'conf/c.yaml')).code, 0)
  })
})

test.run()
