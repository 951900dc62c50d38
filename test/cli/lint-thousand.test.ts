import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createMenusFolder } from '../support/menus-folder.js'
import { menuscript } from './command.js'
import { CONFIG, createRandom, FIRST_CODE, MISTAKES, menuLines } from './planting.js'

const FILES = 1_000
const PLANTED = 60
const SOUND = 200
const SEED = 20_260_101

const codeOf = (place: number) => `menu-${String(place).padStart(4, '0')}`
const pathOf = (place: number) => `menus/f${String(place % 25).padStart(2, '0')}/${codeOf(place)}.yaml`

interface Garden {
  readonly files: Readonly<Record<string, string>>
  /** What is to be told: `path:line code`, sorted. */
  readonly expected: readonly string[]
  readonly codes: ReadonlySet<string>
}

/** A thousand menus, sixty of them with one mistake each, at places and of kinds that the seed decides. */
function grow(): Garden {
  const random = createRandom(SEED)
  const upTo = (most: number) => Math.floor(random() * (most + 1))
  const chosen = new Set<number>()
  while (chosen.size < PLANTED) chosen.add(1 + upTo(FILES - 2))
  const kinds = Object.entries(MISTAKES)
  const files: Record<string, string> = { 'menuscript.config.yaml': CONFIG }
  const expected: string[] = []
  const codes = new Set<string>()
  for (let place = 0; place < FILES; place++) {
    const path = pathOf(place)
    const sound = menuLines(codeOf(place), upTo(4), upTo(12))
    const [code, plant] = kinds[[...chosen].indexOf(place) % kinds.length] ?? []
    const planted = code === undefined || plant === undefined ? null : plant(sound)
    files[path] = `${(planted?.lines ?? sound).join('\n')}\n`
    if (planted === null || code === undefined) continue
    expected.push(`${path}:${planted.line} ${code}`)
    codes.add(code)
  }
  return { files, expected: expected.sort(), codes }
}

const { files, expected, codes } = grow()

test('The garden is as intended: a thousand files, sixty mistakes, of more than twenty kinds', () => {
  assert.is(codeOf(0), FIRST_CODE)
  assert.is(Object.keys(files).length, FILES + 1)
  assert.is(expected.length, PLANTED)
  assert.ok(codes.size >= 20, `${codes.size} kinds`)
})

test('lint finds exactly the planted mistakes, each at its file and line, and nothing else', async () => {
  const folder = createMenusFolder(files)
  const start = performance.now()
  const { code, stdout, stderr } = await menuscript(['lint', '--json'], { cwd: folder.dir })
  const took = Math.round(performance.now() - start)
  console.log(
    `    lint of ${FILES} files with ${PLANTED} mistakes of ${codes.size} kinds: ${took} ms, start included`,
  )
  folder.close()
  assert.equal([code, stderr], [1, ''])
  const report = JSON.parse(stdout) as {
    readonly files: number
    readonly problems: readonly { readonly path: string; readonly line: number; readonly code: string }[]
  }
  assert.is(report.files, FILES)
  assert.equal(report.problems.map((each) => `${each.path}:${each.line} ${each.code}`).sort(), expected)
})

test('Files of the same folder without a planted mistake are fine', async () => {
  const planted = new Set(expected.map((line) => line.replace(/:\d+ .*$/, '')))
  const sound = Object.entries(files)
    .filter(([path]) => !planted.has(path))
    .slice(0, SOUND)
  const folder = createMenusFolder(Object.fromEntries(sound))
  const { code, stdout } = await menuscript(['lint', '--max-warnings', '0'], { cwd: folder.dir })
  folder.close()
  assert.is(code, 0)
  assert.match(stdout, `${SOUND - 1} files, 0 errors, 0 warnings`)
})

test.run()
