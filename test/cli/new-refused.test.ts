import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { menuText } from './command.js'
import { inProject, type Project, STACK } from './project.js'

/** A project where the schema is still to be put, so that even that is seen when it is written too early. */
const SITE = {
  'menus/main.yaml': menuText('main'),
  'menus/shop/main.3.yaml': menuText('main').replace('items:', 'context: { id: 3 }\nitems:'),
  'menus/notes.txt': 'notes',
}

type Texts = Readonly<Record<string, string>>

/** Runs `new` where it must refuse: with this exit code, one line on stderr, and every file as it was. */
async function refused(project: Project, exit: number, args: readonly string[]): Promise<string> {
  const before = project.texts()
  const { code, stdout, stderr } = await project.run('new', ...args)
  assert.equal([code, stdout], [exit, ''], `${args.join(' ')}: ${stderr}`)
  assert.match(stderr, /^error: [^\n]+\n(?:\(.*\n)?$/)
  assert.not.match(stderr, STACK)
  assert.equal(changesOf(before, project.texts()), [])
  return stderr
}

/** The paths of what was written or deleted. */
function changesOf(before: Texts, after: Texts): readonly string[] {
  return Object.keys({ ...before, ...after }).filter((path) => before[path] !== after[path])
}

test('An existing menu is refused with its file, and so is a variant, however its context is written', async () => {
  await inProject(SITE, async (project) => {
    assert.match(await refused(project, 1, ['main']), 'menus/main.yaml')
    assert.match(await refused(project, 1, ['main', '--context', '{}']), 'menus/main.yaml')
    assert.match(await refused(project, 1, ['main', '--file', 'menus/other.yaml']), 'menus/main.yaml')
    const variant = ['main', '--context', '{"id": 3.0}']
    assert.match(await refused(project, 1, variant), /menus\/shop\/main\.3\.yaml.*\{id: 3\}/)
    assert.is((await project.run('new', 'main', '--context', '{"id": "3"}')).code, 0)
  })
})

test('A menu that is withheld as a duplicate counts as being there', async () => {
  const files = { 'menus/a.yaml': menuText('a'), 'menus/b.yaml': menuText('a') }
  await inProject(files, async (project) => {
    assert.match(await refused(project, 1, ['a']), /menus\/[ab]\.yaml/)
  })
})

/** What is no code, no name and no context, with what is said of it. */
const MISTAKES: readonly (readonly [args: readonly string[], said: RegExp])[] = [
  [[], /code/],
  [['a', 'b'], /arguments/],
  [[''], /""/],
  [['..'], /"\.\."/],
  [['.hidden'], /"\.hidden".*not starting with a dot/],
  [['../out'], /"\.\.\/out"/],
  [['/etc/passwd'], /letters, digits/],
  [['a b'], /code.*"a b"|"a b".*code/],
  [['schön'], /"schön"/],
  [['a'.repeat(65)], /64/],
  [['x', '--name', ''], /name.*blank|blank.*name/],
  [['x', '--name', ' \t'], /name.*blank|blank.*name/],
  [['x', '--name', 'n'.repeat(201)], /200/],
  [['x', '--context', '{'], /--context is not JSON.*\{"partnerId": 3\}/],
  [['x', '--context', '[]'], /--context.*flat/],
  [['x', '--context', '[{"a": 1}]'], /--context.*flat/],
  [['x', '--context', '3'], /--context.*flat/],
  [['x', '--context', '{"a": {"b": 1}}'], /--context.*flat/],
  [['x', '--context', '{"a": [1]}'], /--context.*flat/],
  [['x', '--context', '{"a": 9007199254740993}'], /--context.*[Qq]uote it/],
  [['x', '--context', `{"a": "${'b'.repeat(9_000)}"}`], /query|context/],
]

test('A bad code, name or context is refused with the reason: exit code 2, and nothing is written', async () => {
  await inProject(SITE, async (project) => {
    for (const [args, said] of MISTAKES) assert.match(await refused(project, 2, args), said)
  })
})

/** Files that are none of ours, would not be read, or are there already, with what is said of them. */
const PLACES: readonly (readonly [file: string, said: RegExp])[] = [
  ['../out.yaml', /not in the menus folder/],
  ['menus/../out.yaml', /not in the menus folder/],
  ['out.yaml', /not in the menus folder/],
  ['sub/y.txt', /paths are relative to the current folder; write --file 'menus\/sub\/y\.yaml'\n/],
  ['../main.yaml', /paths are relative to the current folder\n/],
  ['menus2/out.yaml', /not in the menus folder/],
  ['/out.yaml', /not in the menus folder/],
  ['', /menus/],
  ['menus', /menus/],
  ['menus/out.txt', /menus\/out\.txt.*\.yaml/],
  ['menus/out', /menus\/out.*\.yaml/],
  ['menus/.out.yaml', /dot/],
  ['menus/.git/out.yaml', /dot/],
  ['menus/main.yaml', /menus\/main\.yaml/],
  ['menus/notes.txt/out.yaml', /^(?!.*there already).*menus\/notes\.txt/],
  // It would not be read: a folder with the name of a menu.
  ['menus/x.yaml/out.yaml', /menus\/x\.yaml/],
  // Where case does not count, it is the file that is there.
  ['menus/MAIN.yaml', /menus\/main\.yaml/],
]

test('A file that cannot be ours, would not be read or is there is refused with the reason: exit code 2, and nothing is written', async () => {
  await inProject(SITE, async (project) => {
    for (const [file, said] of PLACES)
      assert.match(await refused(project, 2, ['x', '--file', file]), said, file)
  })
})

/** Runs a test in a project with a link in its menus folder that leads out of it; nothing out there may change. */
async function withLink(
  link: string,
  target: string,
  test: (project: Project) => Promise<void>,
): Promise<void> {
  await inProject({ 'there/x.txt': '' }, async (outside) => {
    await inProject(SITE, async (project) => {
      symlinkSync(join(outside.dir, target), join(project.dir, link))
      await test(project)
    })
    assert.equal(Object.keys(outside.texts()).sort(), ['.git/HEAD', 'there/x.txt'])
  })
}

test('Nothing is written through a link that leads out of the menus folder', async () => {
  await withLink('menus/link', 'there', async (project) => {
    await refused(project, 2, ['x', '--file', 'menus/link/x.yaml'])
  })
})

test('A link where a file would be written is not followed, even when it leads nowhere', async () => {
  await withLink('menus/side.yaml', 'made.yaml', async (project) => {
    const { code, stdout } = await project.run('new', 'side')
    assert.equal([code, stdout], [0, 'menus/side-2.yaml\n'])
    await refused(project, 2, ['x', '--file', 'menus/side.yaml'])
  })
})

test('A link where the schema would be put is not followed', async () => {
  await withLink('menus/menu.schema.json', 'made.json', async ({ run }) => {
    assert.is((await run('new', 'side')).stdout, 'menus/side.yaml\n')
  })
})

test('A menus folder that cannot be made is reported with exit code 3', async () => {
  await inProject({ menus: 'a file' }, async (project) => {
    const { code, stdout, stderr } = await project.run('new', 'main')
    assert.equal([code, stdout], [3, ''], stderr)
    assert.match(stderr, /^error: .*menus/)
    assert.not.match(stderr, STACK)
  })
})

test.run()
