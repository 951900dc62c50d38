import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isError } from '../../../src/model/problem.js'
import { contentHash } from '../../../src/store/hash.js'
import { yaml } from '../../support/yaml.js'
import { nameOf, servedPaths } from '../opening.js'
import { ANA, editOf, publishing } from './publishing.js'

const MENU = yaml`
  version: 1
  code: main
  name: Main   # for editors
  items:
    # where all begins
    - label: Home
      url: /
    - label: Sales
      url: /sales
`

const rename = (text: string, name: string) =>
  editOf('main.yaml', text, { op: 'replace', path: '/name', value: name })
const relabel = (text: string, place: number, label: string) =>
  editOf('main.yaml', text, { op: 'replace', path: `/items/${place}/label`, value: label })

test('A publish changes exactly the lines it means, and the next read is of them', async () => {
  await publishing({ 'main.yaml': MENU }, async ({ folder, store, publisher }) => {
    const { value, fault } = await publisher.publish([rename(MENU, 'Front')], ANA)
    assert.is(fault, null)
    assert.is(nameOf(store), 'Front')
    const text = readFileSync(join(folder.dir, 'main.yaml'), 'utf8')
    assert.is(text, MENU.replace('name: Main ', 'name: Front '))
    assert.is(value?.files[0]?.after?.text, text)
    assert.equal(readdirSync(folder.dir), ['main.yaml'])
  })
})

test('The echo of a publish through the watcher changes nothing', async () => {
  await publishing({ 'main.yaml': MENU }, async ({ store, publisher }) => {
    await publisher.publish([rename(MENU, 'Front')], ANA)
    const { current } = store
    await sleep(600)
    await store.refresh()
    assert.is(store.current, current)
  })
})

test('An edit that changes nothing writes nothing', async () => {
  await publishing({ 'main.yaml': MENU }, async ({ folder, publisher, versions }) => {
    const before = statSync(join(folder.dir, 'main.yaml'))
    const { value, fault } = await publisher.publish([rename(MENU, 'Main')], ANA)
    assert.is(fault, null)
    assert.is(value?.files[0]?.after, value?.files[0]?.before)
    const { mtimeMs, ino } = statSync(join(folder.dir, 'main.yaml'))
    assert.equal([mtimeMs, ino], [before.mtimeMs, before.ino])
    assert.equal(versions.list('main.yaml'), [])
  })
})

test('A colleague who published first is merged with, comments and all', async () => {
  await publishing({ 'main.yaml': MENU }, async ({ folder, publisher }) => {
    await publisher.publish([relabel(MENU, 1, 'Revenue')], ANA)
    const { fault } = await publisher.publish([relabel(MENU, 0, 'Start')], ANA)
    assert.is(fault, null)
    const text = readFileSync(join(folder.dir, 'main.yaml'), 'utf8')
    assert.is(text, MENU.replace('label: Home', 'label: Start').replace('label: Sales', 'label: Revenue'))
  })
})

test('A text written by hand in the meantime is merged', async () => {
  await publishing({ 'main.yaml': MENU }, async ({ folder, publisher }) => {
    const pulled = MENU.replace('# where all begins', '# the first').replace('/sales', '/revenue')
    folder.write('main.yaml', pulled)
    const { fault } = await publisher.publish([relabel(MENU, 1, 'Revenue')], ANA)
    assert.is(fault, null)
    assert.is(readFileSync(join(folder.dir, 'main.yaml'), 'utf8'), pulled.replace('Sales', 'Revenue'))
  })
})

test('Two edits of one field are a conflict: nothing is written until somebody chooses', async () => {
  await publishing({ 'main.yaml': MENU }, async ({ folder, publisher }) => {
    await publisher.publish([relabel(MENU, 1, 'Revenue')], ANA)
    const mine = relabel(MENU, 1, 'Turnover')
    const { fault } = await publisher.publish([mine], ANA)
    assert.is(fault?.reason, 'conflict')
    if (fault?.reason !== 'conflict') return
    assert.equal(
      fault.merged.conflicts.map(({ kind, field, values }) => [kind, field, values.mine, values.theirs]),
      [['edit', '/label', 'Turnover', 'Revenue']],
    )
    assert.match(readFileSync(join(folder.dir, 'main.yaml'), 'utf8'), 'label: Revenue')
    if (mine.kind !== 'change') return
    const chosen = await publisher.publish([{ ...mine, choose: () => 'mine' }], ANA)
    assert.is(chosen.fault, null)
    assert.match(readFileSync(join(folder.dir, 'main.yaml'), 'utf8'), 'label: Turnover')
  })
})

test('A publish that would show an item to more viewers than either side is a conflict, and either choice is that side', async () => {
  const of = (section: string, item: string): string => yaml`
    version: 1
    code: main
    name: Main
    items:
      - type: section
        label: Reports
        permissions: ${section}
        children:
          - label: Salaries
            url: /salaries
            permissions: ${item}
  `
  const base = of('[sales, admin]', '[admin]')
  const path = '/items/0/children/0/permissions'
  for (const side of ['mine', 'theirs'] as const) {
    await publishing({ 'main.yaml': base }, async ({ folder, publisher }) => {
      const pulled = of('[sales]', '[admin]')
      folder.write('main.yaml', pulled)
      const mine = editOf('main.yaml', base, { op: 'replace', path, value: [] })
      const { fault } = await publisher.publish([mine], ANA)
      assert.is(fault?.reason, 'conflict')
      const read = () => readFileSync(join(folder.dir, 'main.yaml'), 'utf8')
      assert.is(read(), pulled)
      if (mine.kind !== 'change') return
      assert.is((await publisher.publish([{ ...mine, choose: () => side }], ANA)).fault, null)
      assert.is(read(), side === 'mine' ? of('[sales, admin]', '[]') : pulled)
    })
  }
})

test('What lint would refuse is refused with all its problems, and nothing is written', async () => {
  await publishing({ 'main.yaml': MENU }, async ({ folder, publisher }) => {
    const wrong = editOf(
      'main.yaml',
      MENU,
      { op: 'replace', path: '/items/0/url', value: 'javascript:alert(1)' },
      { op: 'remove', path: '/items/1/url' },
    )
    const { fault } = await publisher.publish([wrong], ANA)
    assert.is(fault?.reason, 'invalid')
    if (fault?.reason === 'invalid') assert.is(fault.problems.filter(isError).length, 2)
    assert.is(readFileSync(join(folder.dir, 'main.yaml'), 'utf8'), MENU)
  })
})

test('A rule that the project made an error is one for a publish', async () => {
  const rules = { 'missing-translation': 'error' } as const
  const edit = editOf('main.yaml', MENU, { op: 'replace', path: '/items/0/label', value: { en: 'Start' } })
  await publishing({ 'main.yaml': MENU }, async ({ publisher }) => {
    assert.is((await publisher.publish([edit], ANA)).fault, null)
  })
  await publishing(
    { 'main.yaml': MENU },
    async ({ publisher }) => {
      assert.is((await publisher.publish([edit], ANA)).fault?.reason, 'invalid')
    },
    { rules },
  )
})

test('An edit that takes the place of another menu is refused, whichever of the two would be served', async () => {
  const other = MENU.replace('code: main', 'code: other')
  const files = { 'a.yaml': other, 'main.yaml': MENU, 'z.yaml': MENU.replace('code: main', 'code: last') }
  await publishing(files, async ({ publisher }) => {
    for (const [path, text] of Object.entries(files)) {
      const code = path === 'main.yaml' ? 'last' : 'main'
      const { fault } = await publisher.publish(
        [editOf(path, text, { op: 'replace', path: '/code', value: code })],
        ANA,
      )
      assert.is(fault?.reason, 'invalid', path)
    }
  })
})

test('A dry run writes nothing, and answers what would be written', async () => {
  await publishing({ 'main.yaml': MENU }, async ({ folder, store, publisher, versions }) => {
    const { value } = await publisher.publish([rename(MENU, 'Front')], { ...ANA, isDry: true })
    assert.match(value?.files[0]?.after?.text ?? '', 'name: Front')
    assert.is(readFileSync(join(folder.dir, 'main.yaml'), 'utf8'), MENU)
    assert.is(nameOf(store), 'Main')
    assert.equal(versions.list('main.yaml'), [])
  })
})

test('A whole text takes the place of the version that it was made from, and of no other', async () => {
  await publishing({ 'main.yaml': MENU }, async ({ folder, publisher, versions }) => {
    const text = MENU.replace('Main', 'Front')
    const edit = { kind: 'text', path: 'main.yaml', version: contentHash(MENU), text } as const
    assert.is((await publisher.publish([edit], ANA)).fault, null)
    const again = await publisher.publish([{ ...edit, text: MENU.replace('Main', 'Back') }], ANA)
    assert.equal(again.fault, { reason: 'changed', path: 'main.yaml', version: contentHash(text) })
    assert.is(readFileSync(join(folder.dir, 'main.yaml'), 'utf8'), text)
    assert.equal(
      versions
        .list('main.yaml')
        .map(({ id, author }) => [Buffer.from(versions.read(id) ?? []).toString(), author]),
      [[MENU, 'ana']],
    )
  })
})

test('A new file appears whole, with the folders on its way; a name that is taken is refused', async () => {
  await publishing({ 'main.yaml': MENU }, async ({ folder, store, publisher }) => {
    const text = MENU.replace('code: main', 'code: new')
    const edit = { kind: 'text', path: 'partners/new.yaml', version: null, text } as const
    assert.is((await publisher.publish([edit], ANA)).fault, null)
    assert.equal(servedPaths(store).sort(), ['main.yaml', 'partners/new.yaml'])
    const { fault } = await publisher.publish([{ ...edit, path: 'main.yaml' }], ANA)
    assert.is(fault?.reason, 'changed')
    assert.is(readFileSync(join(folder.dir, 'main.yaml'), 'utf8'), MENU)
  })
})

test('A deleted menu is no longer served, and its text is kept', async () => {
  await publishing({ 'main.yaml': MENU }, async ({ folder, store, publisher, versions }) => {
    const edit = { kind: 'text', path: 'main.yaml', version: contentHash(MENU), text: null } as const
    assert.is((await publisher.publish([edit], ANA)).fault, null)
    assert.not.ok(existsSync(join(folder.dir, 'main.yaml')))
    assert.equal(servedPaths(store), [])
    assert.is(versions.list('main.yaml').length, 1)
    assert.is((await publisher.publish([rename(MENU, 'Front')], ANA)).fault?.reason, 'changed')
  })
})

test('Paths that leave the folder, or that no scan reads as a menu, are refused', async () => {
  await publishing({ 'main.yaml': MENU }, async ({ folder, publisher }) => {
    symlinkSync('/etc', join(folder.dir, 'out'))
    const long = `${'x'.repeat(251)}.yaml`
    const paths = [
      '../x.yaml',
      'a/../../x.yaml',
      '/x.yaml',
      'x\0.yaml',
      'x\n.yaml',
      '.x.yaml',
      'a//x.yaml',
      '',
      'x.json',
    ]
    for (const path of [...paths, 'out/x.yaml', 'a.yaml/x.yaml', 'a\\x.yaml', long]) {
      const { fault } = await publisher.publish([{ kind: 'text', path, version: null, text: MENU }], ANA)
      assert.is(fault?.reason, 'bad-path', path)
    }
    assert.equal(readdirSync(folder.dir).sort(), ['main.yaml', 'out'])
  })
})

test('A link within the folder is followed and stays a link', async () => {
  await publishing({ 'real/main.yaml': MENU }, async ({ folder, store, publisher }) => {
    symlinkSync('real/main.yaml', join(folder.dir, 'main.yaml'))
    await store.refresh()
    // Under both names it is the same menu twice.
    const { fault } = await publisher.publish([rename(MENU, 'Front')], ANA)
    assert.is(fault?.reason, 'invalid')
    assert.ok(lstatSync(join(folder.dir, 'main.yaml')).isSymbolicLink())
  })
  await publishing({ '..data/main.yaml': MENU }, async ({ folder, store, publisher }) => {
    symlinkSync('..data/main.yaml', join(folder.dir, 'main.yaml'))
    await store.refresh()
    assert.is((await publisher.publish([rename(MENU, 'Front')], ANA)).fault, null)
    assert.ok(lstatSync(join(folder.dir, 'main.yaml')).isSymbolicLink())
    assert.match(readFileSync(join(folder.dir, '..data/main.yaml'), 'utf8'), 'name: Front')
  })
})

test('Of two new menus with one code, published at once in two files, one is written and the other refused', async () => {
  await publishing({}, async ({ folder, publisher }) => {
    const both = ['a.yaml', 'b.yaml'].map(
      (path) => ({ kind: 'text', path, version: null, text: MENU }) as const,
    )
    const published = await Promise.all(both.map((edit) => publisher.publish([edit], ANA)))
    assert.equal(published.map(({ fault }) => fault?.reason ?? 'done').sort(), ['done', 'invalid'])
    assert.is(readdirSync(folder.dir).filter((name) => name.endsWith('.yaml')).length, 1)
  })
})

test('Publishes of one file by its name and by a link to it come one after the other, and none is lost', async () => {
  await publishing({ '..data/main.yaml': MENU }, async ({ folder, store, publisher }) => {
    for (const name of ['main.yaml', 'MAIN.yml']) symlinkSync('..data/main.yaml', join(folder.dir, name))
    await store.refresh()
    const add = (at: number) =>
      editOf('main.yaml', MENU, { op: 'add', path: '/items/-', value: { label: `New ${at}`, url: `/${at}` } })
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        publisher.publish([{ ...add(at), path: at % 2 === 0 ? 'main.yaml' : 'MAIN.yml' }], ANA),
      ),
    )
    // Under both names it is the same menu twice: each is refused, none crashes or hangs.
    for (const { fault } of all) assert.is(fault?.reason, 'invalid')
    unlinkSync(join(folder.dir, 'MAIN.yml'))
    await store.refresh()
    const more = await Promise.all(Array.from({ length: 8 }, (_, at) => publisher.publish([add(at)], ANA)))
    for (const { fault } of more) assert.is(fault, null)
    const text = readFileSync(join(folder.dir, 'main.yaml'), 'utf8')
    for (let at = 0; at < 8; at++) assert.match(text, `label: New ${at}\n`)
  })
})

test('More publishes than may wait are refused at once, and what was acknowledged is in the file', async () => {
  await publishing({ 'main.yaml': MENU }, async ({ folder, publisher }) => {
    const add = (at: number) =>
      editOf('main.yaml', MENU, { op: 'add', path: '/items/-', value: { label: `New ${at}`, url: `/${at}` } })
    const all = Array.from({ length: 220 }, (_, at) => publisher.publish([add(at)], ANA))
    const faults = (await Promise.all(all)).map(({ fault }) => fault?.reason ?? null)
    assert.equal([...new Set(faults)], [null, 'overloaded'])
    const text = readFileSync(join(folder.dir, 'main.yaml'), 'utf8')
    for (const [at, fault] of faults.entries()) assert.is(text.includes(`New ${at}\n`), fault === null)
    assert.is((await publisher.publish([add(999)], ANA)).fault, null)
  })
})

test('Edits of several files are written together, or none of them', async () => {
  const files = {
    'a.yaml': MENU.replace('code: main', 'code: a'),
    'b.yaml': MENU.replace('code: main', 'code: b'),
  }
  await publishing(files, async ({ folder, publisher }) => {
    const edits = Object.entries(files).map(([path, text]) =>
      editOf(path, text, { op: 'replace', path: '/name', value: 'Both' }),
    )
    const wrong = editOf('b.yaml', files['b.yaml'], { op: 'remove', path: '/items' })
    assert.is((await publisher.publish([edits[0] ?? wrong, wrong], ANA)).fault?.reason, 'invalid')
    assert.is(readFileSync(join(folder.dir, 'a.yaml'), 'utf8'), files['a.yaml'])
    assert.is((await publisher.publish(edits, ANA)).fault, null)
    for (const path of Object.keys(files))
      assert.match(readFileSync(join(folder.dir, path), 'utf8'), 'name: Both')
  })
})

test('While git holds its lock nothing is written; a lock that stays is reported as busy', async () => {
  await publishing({ 'main.yaml': MENU, '.git/index.lock': '' }, async ({ folder, publisher }) => {
    setTimeout(() => folder.remove('.git/index.lock'), 300)
    const start = performance.now()
    assert.is((await publisher.publish([rename(MENU, 'Front')], ANA)).fault, null)
    assert.ok(performance.now() - start > 250)
  })
})

test('A file that git deletes and writes anew between the reading and the writing of a publish is waited for', async () => {
  const pulled = MENU.replace('label: Home', 'label: Start')
  const left: string[] = [MENU]
  const onPlanned = (dir: string): void => {
    if (left.pop() === undefined) return
    unlinkSync(join(dir, 'main.yaml'))
    setTimeout(() => writeFileSync(join(dir, 'main.yaml'), pulled), 20)
  }
  await publishing(
    { 'main.yaml': MENU },
    async ({ folder, publisher }) => {
      const { fault } = await publisher.publish([rename(MENU, 'Front')], ANA)
      assert.is(fault, null)
      assert.is(readFileSync(join(folder.dir, 'main.yaml'), 'utf8'), pulled.replace('Main ', 'Front '))
    },
    { onPlanned },
  )
})

test('A file that is deleted between the reading and the writing of a publish, and stays so, has changed', async () => {
  await publishing(
    { 'main.yaml': MENU },
    async ({ publisher }) => {
      const { fault } = await publisher.publish([rename(MENU, 'Front')], ANA)
      assert.equal(fault, { reason: 'changed', path: 'main.yaml', version: null })
    },
    { onPlanned: (dir) => unlinkSync(join(dir, 'main.yaml')) },
  )
})

test('B8: a commit knows whether anybody else has written a file since its publish', async () => {
  const found: boolean[] = []
  const onCommit = (dir: string, isOurs: (path: string) => boolean): void => {
    found.push(isOurs('main.yaml'))
    writeFileSync(join(dir, 'main.yaml'), MENU.replace('Main ', 'Pulled '))
    found.push(isOurs('main.yaml'))
    unlinkSync(join(dir, 'main.yaml'))
    found.push(isOurs('main.yaml'))
  }
  await publishing(
    { 'main.yaml': MENU },
    async ({ publisher }) => {
      assert.is((await publisher.publish([rename(MENU, 'Front')], ANA)).fault, null)
      assert.equal(found, [true, false, false])
    },
    { onCommit },
  )
})

test('A file beside the menu that another process has just made means that it is being written', async () => {
  await publishing({ 'main.yaml': MENU }, async ({ folder, publisher, versions }) => {
    const aside = join(folder.dir, `.menuscript-${contentHash('main.yaml').slice(0, 12)}.tmp`)
    writeFileSync(aside, 'half')
    const { fault } = await publisher.publish([rename(MENU, 'Front')], ANA)
    assert.is(fault?.reason, 'busy')
    assert.is(readFileSync(join(folder.dir, 'main.yaml'), 'utf8'), MENU)
    assert.is(readFileSync(aside, 'utf8'), 'half')
    assert.is(versions.list('main.yaml').length, 1, 'each try would keep the text again')
  })
})

test.run()
