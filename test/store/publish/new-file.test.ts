import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Context } from '../../../src/model/menu.js'
import { createFileNames, findSchema, writeSchema } from '../../../src/store/publish/new-file.js'
import { writeFile } from '../../../src/store/publish/write-file.js'
import { contexts } from '../../model/arbitraries.js'
import { sized } from '../../support/figures.js'
import { createMenusFolder, type MenusFolder } from '../../support/menus-folder.js'

const OURS = '{ "$id": "urn:menuscript:schema:menu" }'

/** Runs a test in a folder with these files, which goes behind it. */
function inFolder(files: Readonly<Record<string, string>>, test: (folder: MenusFolder) => void): void {
  const folder = createMenusFolder(files)
  try {
    test(folder)
  } finally {
    folder.close()
  }
}

const toFileName = (code: string, context: Context, prefix: string, taken: readonly string[]) =>
  createFileNames(prefix, taken)(code, context)

test('A menu is CODE.yaml, a variant CODE.KEY-VALUE.yaml, both behind the prefix', () => {
  assert.is(toFileName('main', {}, '', []), 'main.yaml')
  assert.is(toFileName('main', { partnerId: 3 }, '', []), 'main.partnerId-3.yaml')
  assert.is(toFileName('main', { id: 3, plan: 'pro' }, 'shop_', []), 'shop_main.id-3.plan-pro.yaml')
  assert.is(toFileName('main', { a: null, b: true, c: 1.5 }, '', []), 'main.a-null.b-true.c-1.5.yaml')
})

test('A taken name gets a number, in any case', () => {
  assert.is(toFileName('main', {}, '', ['main.yaml']), 'main-2.yaml')
  assert.is(toFileName('main', {}, '', ['Main.YAML', 'MAIN-2.yaml']), 'main-3.yaml')
  assert.is(toFileName('main', {}, '', ['main-2.yaml', 'shop/main.yaml', 'main.yml']), 'main.yaml')
  assert.is(toFileName('main', { id: 1 }, 'a_', ['a_main.id-1.yaml']), 'a_main.id-1-2.yaml')
})

test('In a folder, only its own names are taken', () => {
  const toName = createFileNames('a_', ['a_main.yaml', 'eu/a_side.yaml'])
  assert.is(toName('main', {}, 'eu/'), 'eu/a_main.yaml')
  assert.is(toName('side', {}, 'eu/'), 'eu/a_side-2.yaml')
})

test('E7: the file of a menu that is called like a device of Windows is not', () => {
  assert.is(toFileName('con', {}, '', []), 'con_.yaml')
  assert.is(toFileName('con.main', {}, '', []), 'con_.main.yaml')
  assert.is(toFileName('AUX', { id: 1 }, '', ['aux_.id-1.yaml']), 'AUX_.id-1-2.yaml')
  assert.is(toFileName('con', {}, 'shop_', []), 'shop_con.yaml')
})

test('For any context, the name is short, safe on every disk, and free', () => {
  const codes = fc.stringMatching(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/)
  fc.assert(
    fc.property(codes, contexts, fc.nat(3), (code, context, rounds) => {
      const taken: string[] = []
      const toName = createFileNames('', taken)
      for (let round = 0; round <= rounds; round++) {
        const name = toName(code, context)
        assert.match(name, /^[\w-][\w.-]*\.yaml$/)
        assert.ok(name.length <= 120)
        assert.not.ok(taken.includes(name.toLowerCase()))
        taken.push(name.toLowerCase())
      }
    }),
    { numRuns: sized(80, 800) },
  )
})

test('The schema of the installed package is pointed to first, then the one of the project', () => {
  const installed = 'node_modules/menuscript/schemas/menu.schema.json'
  inFolder({ [installed]: OURS, 'schemas/menu.schema.json': OURS }, ({ dir, remove }) => {
    const place = (path: string) => findSchema(join(dir, 'menus'), path)
    assert.equal(place('a.yaml'), { path: `../${installed}`, copy: null })
    assert.equal(place('b/c/a.yaml'), { path: `../../../${installed}`, copy: null })
    remove('node_modules')
    assert.equal(place('b/a.yaml'), { path: '../../schemas/menu.schema.json', copy: null })
    assert.not.ok(existsSync(join(dir, 'menus')))
  })
})

test('The nearest schema is taken, and none beyond the top of the project', () => {
  const nested = {
    'schemas/menu.schema.json': OURS,
    'site/.git': 'gitdir: elsewhere',
    'site/menus/x.txt': '',
  }
  inFolder(nested, ({ dir, write }) => {
    const menus = join(dir, 'site/menus')
    const copy = join(menus, 'menu.schema.json')
    assert.equal(findSchema(menus, 'a.yaml'), { path: './menu.schema.json', copy })
    write('site/schemas/menu.schema.json', OURS)
    assert.equal(findSchema(menus, 'a.yaml'), { path: '../schemas/menu.schema.json', copy: null })
  })
})

test('Without a schema, a copy is put beside the menus, once, and finding writes nothing', () => {
  inFolder({ '.git/HEAD': '' }, ({ dir }) => {
    const menus = join(dir, 'menus')
    const copy = join(menus, 'menu.schema.json')
    assert.equal(findSchema(menus, 'deep/a.yaml'), { path: '../menu.schema.json', copy })
    assert.not.ok(existsSync(menus))
    mkdirSync(menus)
    writeSchema(menus)
    const original = readFileSync(new URL('../../../schemas/menu.schema.json', import.meta.url), 'utf8')
    assert.equal(JSON.parse(readFileSync(copy, 'utf8')), JSON.parse(original))
    assert.equal(findSchema(menus, 'a.yaml'), { path: './menu.schema.json', copy: null })
  })
})

test('A schema that is not ours is neither pointed to nor overwritten', () => {
  for (const alien of ['{}', '[]', 'null', '"x"', '', '{ "$id": "urn:menuscript:schema:config" }']) {
    inFolder({ '.git/HEAD': '', 'menus/menu.schema.json': alien }, ({ dir }) => {
      assert.equal(findSchema(join(dir, 'menus'), 'a.yaml'), { path: null, copy: null }, alien)
      assert.is(readFileSync(join(dir, 'menus/menu.schema.json'), 'utf8'), alien)
    })
  }
})

test('A new file gets the folders on its way, and never takes the place of anything', () => {
  inFolder({ 'a.yaml': 'first' }, ({ dir }) => {
    writeFile(dir, 'b/c/d.yaml', null, 'new')
    assert.is(readFileSync(join(dir, 'b/c/d.yaml'), 'utf8'), 'new')
    symlinkSync(join(dir, 'nowhere'), join(dir, 'link.yaml'))
    for (const taken of ['a.yaml', 'b', 'link.yaml', 'b/c/d.yaml']) {
      assert.throws(
        () => writeFile(dir, taken, null, 'x'),
        (thrown: unknown) => (thrown as NodeJS.ErrnoException).code === 'EEXIST',
      )
    }
    assert.is(readFileSync(join(dir, 'a.yaml'), 'utf8'), 'first')
    assert.not.ok(existsSync(join(dir, 'nowhere')))
  })
})

test.run()
