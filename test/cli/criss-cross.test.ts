import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { readBlobs } from '../../src/store/git/objects.js'
import { openRepository } from '../../src/store/git/repository.js'
import { sized } from '../support/figures.js'
import { runProcess } from '../support/process.js'
import { inRepository, type TestRepository } from '../support/repository.js'
import { menuscript } from './command.js'
import { FILE, HEAD } from './merging.js'

/** An item of the model: what its keys are. */
type Item = Readonly<Record<string, string>>
/** What a branch does to the item at a place: `move` puts it first, `delete` takes it out. */
interface Edit {
  readonly place: number
  readonly kind: 'label' | 'url' | 'icon' | 'delete' | 'move'
}

/** Two branches that merged each other: what each did before and after, each at an item of its own, perhaps at the same again. */
interface History {
  readonly edits: readonly [mine: Edit, theirs: Edit, mineLater: Edit, theirsLater: Edit]
  /** Both branches changed this field before, and agreed on a text then: theirs, ours, or a third one. */
  readonly agreed: 'mine' | 'theirs' | 'third' | null
}

const SIZE = 8
/** The item that both change where there is something to agree on. */
const SHARED = SIZE - 1

const kinds = fc.constantFrom('label', 'url', 'icon', 'delete') as fc.Arbitrary<Edit['kind']>
const histories: fc.Arbitrary<History> = fc
  .tuple(
    fc.shuffledSubarray([0, 1, 2, 3], { minLength: 2, maxLength: 2 }),
    fc.shuffledSubarray([0, 1, 2, 3], { minLength: 2, maxLength: 2 }),
    fc.tuple(kinds, kinds, kinds, kinds),
    fc.constantFrom(0, 1, 2, 3, null),
    fc.constantFrom('mine' as const, 'theirs' as const, 'third' as const, null),
  )
  .map(([before, after, each, mover, agreed]) => {
    const places = [...before, ...after]
    const edits = each.map((kind, n) => ({ place: places[n] ?? 0, kind: n === mover ? 'move' : kind }))
    return { edits: edits as unknown as History['edits'], agreed }
  })

const BASE: readonly Item[] = Array.from({ length: SIZE }, (_, n) => ({
  id: `i${n}`,
  label: `Item ${n}`,
  url: `/${n}`,
}))

function edited(items: readonly Item[], { place, kind }: Edit, by: string): readonly Item[] {
  const id = `i${place}`
  const own = items.filter((item) => item['id'] === id)
  const rest = items.filter((item) => item['id'] !== id)
  if (kind === 'move') return [...own, ...rest]
  if (kind === 'delete') return rest
  const value = kind === 'icon' ? `lucide:${by}` : kind === 'url' ? `/by-${by}-${place}` : `By ${by} ${place}`
  return items.map((item) => (item['id'] === id ? { ...item, [kind]: value } : item))
}

function agreeing(items: readonly Item[], label: string): readonly Item[] {
  return items.map((item) => (item['id'] === `i${SHARED}` ? { ...item, label } : item))
}

function textOf(items: readonly Item[]): string {
  const lines = items.map((item) =>
    Object.entries(item)
      .map(([key, value], n) => `${n === 0 ? '  - ' : '    '}${key}: ${value}\n`)
      .join(''),
  )
  return HEAD + lines.join('')
}

/** The texts of a history, and what the last merge is to give; null for a conflict. */
function toTexts({ edits, agreed }: History, isAgreed: boolean) {
  const [mine, theirs, mineLater, theirsLater] = edits
  const [one, other] = agreed === null ? [BASE, BASE] : [agreeing(BASE, 'One'), agreeing(BASE, 'Other')]
  const first = [edited(one, mine, 'm'), edited(other, theirs, 't')] as const
  const both = edited(edited(BASE, theirs, 't'), mine, 'm')
  const label = { mine: 'One', theirs: 'Other', third: 'Third' }
  const merged = agreed === null ? both : agreeing(both, label[agreed])
  const second = isAgreed ? merged : agreeing(merged, agreed === 'third' ? 'Fourth' : 'Third')
  const later = [edited(merged, mineLater, 'x'), edited(second, theirsLater, 'y')] as const
  const wanted = isAgreed ? edited(edited(merged, theirsLater, 'y'), mineLater, 'x') : null
  return { base: BASE, first, merged, second, later, wanted }
}

/** Writes the histories as branches x0, y0, x1 … and merges each pair of them; gives the texts, null in conflict. */
async function mergeAll(
  { dir, git }: TestRepository,
  all: readonly ReturnType<typeof toTexts>[],
): Promise<readonly (string | null)[]> {
  const commit = (branch: string, items: readonly Item[], from: readonly string[]): string => {
    const text = textOf(items)
    const parents = from.map((name, n) => `${n === 0 ? 'from' : 'merge'} refs/heads/${name}\n`).join('')
    return `commit refs/heads/${branch}\ncommitter T <t@example.org> 0 +0000\ndata 0\n${parents}M 100644 inline ${FILE}\ndata ${Buffer.byteLength(text)}\n${text}\n`
  }
  const stream = all.flatMap(({ base, first, merged, second, later }, n) => [
    commit(`b${n}`, base, []),
    commit(`m${n}`, first[0], [`b${n}`]),
    commit(`t${n}`, first[1], [`b${n}`]),
    commit(`mm${n}`, merged, [`m${n}`, `t${n}`]),
    commit(`tt${n}`, second, [`t${n}`, `m${n}`]),
    commit(`x${n}`, later[0], [`mm${n}`]),
    commit(`y${n}`, later[1], [`tt${n}`]),
  ])
  const imported = await runProcess('git', ['fast-import', '--quiet'], { cwd: dir, input: stream.join('') })
  assert.is(imported.code, 0, imported.stderr)
  assert.is(git('merge-base', '--all', 'x0', 'y0').split('\n').length, 2, 'two versions to begin from')
  const { value: repository } = await openRepository(dir)
  assert.ok(repository !== null)
  const texts: (string | null)[] = []
  for (const n of all.keys()) {
    const { code, stdout, stderr } = await runProcess(
      'git',
      ['merge-tree', '--write-tree', `x${n}`, `y${n}`],
      {
        cwd: dir,
      },
    )
    assert.ok(code === 0 || code === 1, stderr)
    const place = `${stdout.split('\n')[0]}:${FILE}`
    const blobs = await readBlobs(repository, [place])
    texts.push(code === 0 ? new TextDecoder().decode(blobs.get(place)) : null)
  }
  return texts
}

async function inSetUp(test: (repository: TestRepository) => Promise<void>): Promise<void> {
  await inRepository({ [FILE]: textOf(BASE) }, async (repository) => {
    const { code, stderr } = await menuscript(['git', 'setup'], { cwd: repository.dir })
    assert.is(code, 0, stderr)
    repository.commit('Set up')
    await test(repository)
  })
}

test('Branches that merged each other before merge automatically and correctly', () =>
  inSetUp(async (repository) => {
    const all = fc
      .sample(histories, { seed: 11, numRuns: sized(6, 60) })
      .map((history) => toTexts(history, true))
    const texts = await mergeAll(repository, all)
    const wrong = texts.flatMap((text, n) => {
      const items = text === null ? null : parse(text).items
      return JSON.stringify(items) === JSON.stringify(all[n]?.wanted) ? [] : [`${n}: ${text ?? 'a conflict'}`]
    })
    assert.equal(wrong, [])
  }))

test('A disagreement of branches that merged each other is a conflict, and no side wins silently', () =>
  inSetUp(async (repository) => {
    const some = fc
      .sample(histories, { seed: 12, numRuns: sized(4, 40) })
      .filter(({ agreed }) => agreed !== null)
    const texts = await mergeAll(
      repository,
      some.map((history) => toTexts(history, false)),
    )
    assert.equal(
      texts.filter((text) => text !== null),
      [],
    )
  }))

test('git setup repairs the setting that began from an old version, and --check and a conflict name it', () =>
  inSetUp(async ({ dir, git, write }) => {
    const run = (...args: readonly string[]) => menuscript(args, { cwd: dir })
    assert.equal([(await run('git', 'setup', '--check')).stdout], ['set up\n'])
    write(FILE, `<<<<<<< HEAD\n${textOf(BASE)}`)
    const noted = async (): Promise<boolean> => {
      const { stderr } = await run('lint')
      return /^note: .*menuscript git setup$/m.test(stderr)
    }
    assert.not(await noted())
    git('config', 'merge.menuscript.recursive', 'binary')
    assert.ok(await noted())
    const { code, stdout } = await run('git', 'setup', '--check')
    assert.equal(
      [code, stdout],
      [1, 'not set up: merge.menuscript.driver missing or outdated; run menuscript git setup\n'],
    )
    assert.equal(JSON.parse((await run('git', 'setup', '--check', '--json')).stdout), {
      version: 1,
      setUp: false,
      missing: ['merge.menuscript.driver'],
    })
    assert.equal(JSON.parse((await run('git', 'setup', '--json')).stdout).changed, {
      attributes: false,
      driver: true,
    })
    assert.is(git('config', 'merge.menuscript.recursive'), 'menuscript-ancestor')
    assert.is((await run('git', 'setup', '--check')).code, 0)
    assert.not(await noted())
    assert.is((await run('git', 'setup', '--check', '--remove')).code, 2)
  }))

test.run()
