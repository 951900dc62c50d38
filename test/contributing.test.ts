import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import packageJson from '../package.json' with { type: 'json' }

const ROOT = join(import.meta.dirname, '..')
const PAGE = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8')
/** Floors that are folders of rooms: the map has the rooms. */
const FLOORS_OF_ROOMS = ['change', 'dashboard', 'document', 'review', 'store']

test('Every file and folder that the map names is there', () => {
  const named = [...PAGE.matchAll(/`((?:src|test|schemas)\/[\w./-]+)`/g)].map(([, path = '']) => path)
  assert.ok(named.length > 40)
  assert.equal(
    named.filter((path) => !existsSync(join(ROOT, path))),
    [],
  )
})

test('Every room of the sources is on the map', () => {
  const folders = (path: string): string[] =>
    readdirSync(join(ROOT, path), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${path}/${name}`)
  const rooms = folders('src').flatMap((path) =>
    FLOORS_OF_ROOMS.some((name) => path.endsWith(`/${name}`)) ? folders(path) : [path],
  )
  assert.equal(
    rooms.filter((path) => !PAGE.includes(`\`${path}/\``)),
    [],
  )
})

test('Every script that the page runs is one of the package', () => {
  const scripts = [...PAGE.matchAll(/npm (?:run )?(\w[\w:]*)/g)].map(([, name = '']) => name)
  assert.equal(
    scripts.filter((name) => name !== 'ci' && !(name in packageJson.scripts)),
    [],
  )
})

test.run()
