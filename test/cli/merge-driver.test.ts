import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { inRepository, type TestRepository } from '../support/repository.js'
import { fileOf } from '../support/snapshot-of.js'
import { yaml } from '../support/yaml.js'
import { menuscript } from './command.js'
import { STACK } from './project.js'

const FILE = 'menus/main.yaml'

interface Sides {
  readonly base: string | null
  readonly ours: string
  readonly theirs: string
}

interface Answer {
  readonly code: number | null
  readonly text: string
  /** What git and the driver said. */
  readonly said: string
}

/** Merges the branch `theirs` into the branch `ours` with git, in a repository that was set up; `use` looks at the result. */
async function merging(
  { base, ours, theirs }: Sides,
  use: (answer: Answer, repository: TestRepository) => void | Promise<void>,
  options: { readonly config?: readonly string[]; readonly files?: Readonly<Record<string, string>> } = {},
): Promise<void> {
  await inRepository(
    { 'README.md': 'Menus\n', ...options.files, ...(base !== null && { [FILE]: base }) },
    async (repository) => {
      const setup = await menuscript(['git', 'setup'], { cwd: repository.dir })
      assert.is(setup.code, 0, setup.stderr)
      repository.commit('Set up')
      repository.git('checkout', '--quiet', '-b', 'theirs')
      repository.commit('Theirs', { [FILE]: theirs })
      repository.git('checkout', '--quiet', '-b', 'ours', 'main')
      repository.commit('Ours', { [FILE]: ours })
      const args = [
        ...(options.config ?? []).flatMap((each) => ['-c', each]),
        'merge',
        '-m',
        'Merged',
        'theirs',
      ]
      const { status, stdout, stderr } = spawnSync('git', args, { cwd: repository.dir, encoding: 'utf8' })
      assert.not.match(stderr, STACK)
      const text = readFileSync(join(repository.dir, FILE), 'utf8')
      await use({ code: status, text, said: stdout + stderr }, repository)
    },
  )
}

const HEAD = 'version: 1\ncode: main\nname: Main\nitems:\n'
const item = (label: string, more = ''): string =>
  `  - label: ${label}\n    url: /${label.toLowerCase()}\n${more}`

/** A text with one side of each conflict, the other taken out with the marks. */
function resolved(text: string, side: 'ours' | 'theirs'): string {
  const pattern =
    /^<{7} ours\r?\n([\s\S]*?)(?:^\|{7} base\r?\n[\s\S]*?)?^={7}\r?\n([\s\S]*?)^>{7} theirs\r?\n/gm
  return text.replace(pattern, (_, ours: string, theirs: string) => (side === 'ours' ? ours : theirs))
}

test('Two branches that reorder the same menu merge without a person', async () => {
  const [a, b, c, d, e] = ['A', 'B', 'C', 'D', 'E'].map((label) => `  # about ${label}\n${item(label)}`)
  const sides = {
    base: [HEAD, a, b, c, d, e].join(''),
    ours: [HEAD, e, a, b, c, d].join(''),
    theirs: [HEAD, b, c, d, a, e].join(''),
  }
  await merging(sides, ({ code, text, said }, repository) => {
    assert.is(code, 0, said)
    assert.is(text, [HEAD, e, b, c, d, a].join(''))
    assert.is(repository.git('status', '--porcelain'), '')
    assert.is(repository.git('log', '-1', '--format=%P').split(' ').length, 2)
  })
})

test('Where lines alone give the right menu they are taken, with the comments and the style of both sides', async () => {
  const base = HEAD + item('A') + item('B') + item('C')
  const ours = `# Ours\n${base.replace('label: A', "label:   'A1'  # one")}`
  const theirs = base.replace('label: C', 'label: "C1" # three')
  await merging({ base, ours, theirs }, ({ code, text }) => {
    assert.is(code, 0)
    assert.is(text, ours.replace('label: C', 'label: "C1" # three'))
  })
})

test('Where lines alone are clean and wrong, what comes out is the menu that both sides meant', async () => {
  // Lines would move B out of the list that theirs wrapped, and leave it there, too.
  const base = HEAD + item('A') + item('B') + item('C') + item('D') + item('E') + item('F')
  const ours = HEAD + item('C') + item('D') + item('E') + item('F') + item('A') + item('B')
  const theirs = base.replace('label: B', 'label: { en: B, es: Be }')
  await merging({ base, ours, theirs }, ({ code, text }) => {
    assert.is(code, 0)
    assert.is(text, ours.replace('label: B', 'label: { en: B, es: Be }'))
  })
})

test('A label in one line is merged by locale', async () => {
  const of = (label: string): string => `${HEAD}  - label: ${label}\n    url: /\n`
  const sides = { base: of('{ en: A }'), ours: of('{ en: A1 } # ours'), theirs: of('{ en: A, es: Aa }') }
  await merging(sides, ({ code, text }) => {
    assert.is(code, 0)
    assert.is(text, of('{ en: A1, es: Aa } # ours'))
  })
})

const CONFLICT = {
  base: HEAD + item('A') + item('B') + item('C'),
  ours: HEAD + item('A').replace('A', 'Ours') + item('B') + item('C', '    icon: lucide:c\n'),
  theirs: HEAD + item('A').replace('A', 'Theirs') + item('C') + item('B') + item('D'),
}

test('Marks stand around what conflicts and nothing else, and keeping either side mends the file', async () => {
  await merging(CONFLICT, ({ code, text, said }, repository) => {
    assert.is(code, 1)
    assert.match(said, 'menuscript: menus/main.yaml: both changed /label of "Ours"\n')
    const marked = '<<<<<<< ours\n  - label: Ours\n=======\n  - label: Theirs\n>>>>>>> theirs\n    url: /a\n'
    assert.is(text, HEAD + marked + item('C', '    icon: lucide:c\n') + item('B') + item('D'))
    assert.is(repository.git('diff', '--name-only', '--diff-filter=U'), FILE)
    for (const side of ['ours', 'theirs'] as const) {
      assert.equal(fileOf('main.yaml', resolved(text, side)).problems, [])
    }
  })
})

test('merge.conflictStyle diff3 shows what was before', async () => {
  const use = ({ text }: Answer): void => {
    assert.match(text, '  - label: Ours\n||||||| base\n  - label: A\n=======\n  - label: Theirs\n')
  }
  await merging(CONFLICT, use, { config: ['merge.conflictStyle=diff3'] })
})

test('A branch that one side deleted and the other changed is there whole or not at all', async () => {
  const shop =
    '  - type: section\n    label: Shop # all of it\n    children:\n      - label: A\n        url: /a\n'
  const base = HEAD + shop + item('B')
  const theirs = base.replace('url: /a', 'url: /a/new')
  await merging({ base, ours: HEAD + item('B'), theirs }, ({ code, text, said }) => {
    assert.is(code, 1)
    assert.match(said, 'ours deleted "Shop", and theirs changed it or something below it')
    assert.is(resolved(text, 'ours'), HEAD + item('B'))
    assert.is(resolved(text, 'theirs'), theirs)
  })
})

test('Two sides that cannot be loaded together are marked wherever they differ', async () => {
  const of = (label: string): string => `${HEAD}  - label: { en: A${label} }\n    url: /\n`
  // One locale in two spellings is a duplicate that neither side has.
  const sides = { base: of(''), ours: of(', pt-br: Um'), theirs: of(', pt-BR: Um') }
  await merging(sides, ({ code, text, said }) => {
    assert.is(code, 1)
    assert.match(
      said,
      /menuscript: menus\/main\.yaml: what both sides changed does not go together \(.*pt-br.*\); all of it is marked/,
    )
    assert.is(resolved(text, 'ours'), sides.ours)
    assert.is(resolved(text, 'theirs'), sides.theirs)
  })
})

test('An item that more viewers see than on either side is called out, though nothing conflicts', async () => {
  const of = (section: string, more: string): string => `${HEAD}  - type: section
    label: Staff
    permissions: [staff]
    children:
${section}${item('B')}${more}`
  const pay = (permissions: string): string =>
    `      - label: Pay\n        url: /pay\n${permissions}      - label: Rota\n        url: /rota\n`
  const rota = '      - label: Rota\n        url: /rota\n'
  const sides = {
    base: of(pay('        permissions: [pay]\n'), ''),
    // The section is for few as it is.
    ours: of(pay(''), ''),
    theirs: of(rota, '  - label: Pay\n    url: /pay\n    permissions: [pay]\n'),
  }
  await merging(sides, ({ code, text, said }) => {
    assert.is(code, 0)
    assert.is(text, of(rota, '  - label: Pay\n    url: /pay\n'))
    assert.match(
      said,
      'menuscript: menus/main.yaml: "Pay" is seen by viewers now who saw it on neither side; check it',
    )
  })
})

test('A file that both sides made is merged as if it had been empty before', async () => {
  const sides = { base: null, ours: HEAD + item('A') + item('B'), theirs: HEAD + item('A') + item('C') }
  await merging(sides, ({ code, text, said }) => {
    assert.is(code, 0, said)
    assert.is(text, HEAD + item('A') + item('C') + item('B'))
  })
})

test('A file that is broken on one side is left as git merges it, with a word about it', async () => {
  const broken = { ...CONFLICT, theirs: `${CONFLICT.theirs}lable: x\n` }
  await merging(broken, ({ code, text, said }) => {
    assert.is(code, 1)
    assert.match(
      said,
      /menuscript: menus\/main\.yaml: their version has an error \(.*lable.*\); git merged its lines/,
    )
    assert.match(text, /^<{7} ours\n.*^={7}\n.*^>{7} theirs$/ms)
    assert.match(text, 'lable: x')
  })
  const clean = { ...broken, ours: CONFLICT.base.replace('name: Main', 'name: Ours') }
  await merging(clean, ({ code, text, said }) => {
    assert.is(code, 0)
    assert.match(said, 'git merged its lines')
    assert.is(text, broken.theirs.replace('name: Main', 'name: Ours'))
  })
})

test('Line breaks and a byte order mark of ours stay', async () => {
  const windows = (text: string): string => `\ufeff${text.replaceAll('\n', '\r\n')}`
  const sides = {
    base: windows(CONFLICT.base),
    ours: windows(CONFLICT.ours),
    theirs: windows(CONFLICT.theirs),
  }
  await merging(sides, ({ code, text }) => {
    assert.is(code, 1)
    assert.ok(text.startsWith('\ufeffversion: 1\r\n'))
    assert.not.match(text, /[^\r]\n/)
    assert.equal(fileOf('main.yaml', resolved(text, 'theirs')).problems, [])
  })
})

test('A configuration with an error keeps the driver from judging, and git merges the lines', async () => {
  const use = ({ code, said }: Answer): void => {
    assert.is(code, 1)
    assert.match(
      said,
      'menuscript: site/menus/main.yaml: the configuration has an error (menuscript config); git merged its lines',
    )
  }
  await inRepository({ 'README.md': 'Menus\n' }, async ({ dir, write }) => {
    // Of two sites in a repository, the one that the file belongs to counts.
    write('site/menuscript.config.yaml', 'chache: {}\n')
    for (const [name, text] of Object.entries(CONFLICT)) write(name, text)
    const { code, stderr } = await menuscript(['merge-driver', 'base', 'ours', 'theirs', `site/${FILE}`], {
      cwd: dir,
    })
    use({ code, text: '', said: stderr })
    assert.match(readFileSync(join(dir, 'ours'), 'utf8'), /^<{7} ours$/m)
  })
})

test('A driver that is gone leaves the merge to git, and says how that is mended', async () => {
  await inRepository({ [FILE]: CONFLICT.base }, async (repository) => {
    await menuscript(['git', 'setup'], { cwd: repository.dir })
    const command = repository.git('config', 'merge.menuscript.driver')
    repository.git('config', 'merge.menuscript.driver', command.replace(/; f='[^']*'/, "; f='/gone'"))
    repository.commit('Set up')
    repository.git('checkout', '--quiet', '-b', 'theirs')
    repository.commit('Theirs', { [FILE]: CONFLICT.theirs })
    repository.git('checkout', '--quiet', 'main')
    repository.commit('Ours', { [FILE]: CONFLICT.ours })
    const { status, stderr } = spawnSync('git', ['merge', 'theirs'], {
      cwd: repository.dir,
      encoding: 'utf8',
    })
    assert.is(status, 1)
    assert.match(
      stderr,
      'menuscript: the merge driver is gone, git merged the lines; menuscript git setup mends it',
    )
    assert.match(readFileSync(join(repository.dir, FILE), 'utf8'), '>>>>>>> theirs')
  })
})

test('Marks that a side has kept are never merged as if they were fine', async () => {
  await inRepository({ 'README.md': 'Menus\n' }, async ({ dir, write }) => {
    const left = `${CONFLICT.base}<<<<<<< HEAD\n`
    for (const name of ['base', 'ours', 'theirs']) write(name, left)
    const { code, stderr } = await menuscript(['merge-driver', 'base', 'ours', 'theirs', FILE], { cwd: dir })
    assert.is(code, 1, stderr)
    assert.match(stderr, 'git merged its lines')
  })
})

test('Files that are not there, and arguments that are missing, are told', async () => {
  await inRepository({ 'README.md': 'Menus\n' }, async ({ dir }) => {
    const gone = await menuscript(['merge-driver', 'base', 'ours', 'theirs', FILE], { cwd: dir })
    assert.is(gone.code, 2)
    assert.match(
      gone.stderr,
      /^error: there is no file .*base; git calls this command with the three versions of a file\n$/,
    )
    const missing = await menuscript(['merge-driver', 'base'], { cwd: dir })
    assert.is(missing.code, 2)
    assert.match(missing.stderr, "error: missing required argument 'ours'")
    assert.not(existsSync(join(dir, 'ours')))
  })
})

test('What is no text is left as it is', async () => {
  await inRepository({ 'README.md': 'Menus\n' }, async ({ dir, write }) => {
    for (const name of ['base', 'ours', 'theirs']) write(name, Buffer.from([0, 1, 2, name.length]))
    const { code, stderr } = await menuscript(['merge-driver', 'base', 'ours', 'theirs', FILE], { cwd: dir })
    assert.is(code, 1)
    assert.match(stderr, /^menuscript: menus\/main\.yaml: .* has an error/)
    assert.equal([...readFileSync(join(dir, 'ours'))], [0, 1, 2, 4])
  })
})

test('A menu in brackets is merged, too', async () => {
  const base = yaml`
    version: 1
    code: main
    name: Main
    items: [{ label: A, url: /a }, { label: B, url: /b }]
  `
  const ours = base.replace('Main', 'Ours').replace('{ label: A,', '{ label: Aa,')
  const theirs = base.replace('{ label: B, url: /b }', '{ label: B, url: /b }, { label: C, url: /c }')
  await merging({ base, ours, theirs }, ({ code, text }) => {
    assert.is(code, 0)
    assert.is(text, theirs.replace('Main', 'Ours').replace('{ label: A,', '{ label: Aa,'))
  })
})

test.run()
