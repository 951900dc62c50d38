import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { placedItems } from '../../../src/change/items.js'
import { isMap, type Json } from '../../../src/model/json.js'
import { blameItems, POSITION } from '../../../src/review/history/menu-blame.js'
import { createMenuHistory } from '../../../src/review/history/menu-history.js'
import { openRepository, type Repository } from '../../../src/store/git/repository.js'
import { sized } from '../../support/figures.js'
import { DEFAULT_LIMITS } from '../../support/limits.js'
import { createRepository } from '../../support/repository.js'

/** An item of the model: what it says, and the commit that made it say so. */
interface Item {
  readonly id: string
  readonly text: string
  readonly by: string
}

type Step = readonly [kind: 'add' | 'edit' | 'remove' | 'move' | 'form' | 'rename', place: number, to: number]

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.tuple(fc.constantFrom('add', 'edit', 'remove', 'move', 'form', 'rename'), fc.nat(9), fc.nat(9)),
  { minLength: 1, maxLength: 6 },
)

/** One line of history: its items and file, and the commits that lead there. */
interface Line {
  items: readonly Item[]
  path: string
  form: number
}

function walk(line: Line, [kind, at, to]: Step, commit: string): Line {
  const { items } = line
  const place = items.length === 0 ? 0 : at % items.length
  const item = items[place]
  if (kind === 'rename') return { ...line, path: `menus/${commit}.yaml` }
  if (kind === 'form') return { ...line, form: line.form + 1 }
  if (kind === 'add' || item === undefined) {
    const added = { id: `i${commit}`, text: commit, by: commit }
    return { ...line, items: [...items.slice(0, to), added, ...items.slice(to)] }
  }
  const others = items.filter((each) => each !== item)
  if (kind === 'remove') return { ...line, items: others }
  if (kind === 'edit')
    return {
      ...line,
      items: items.map((each) => (each === item ? { ...item, text: commit, by: commit } : each)),
    }
  return { ...line, items: [...others.slice(0, to), item, ...others.slice(to)] }
}

function toText({ items, form }: Line): string {
  const rows = items.map(({ id, text }) => `  - id: ${id}\n    label: ${text}\n    url: "/${id}"\n`)
  return `version: 1\ncode: main\nname: Main # ${form}\nitems:${rows.length === 0 ? ' []' : ''}\n${rows.join('')}`
}

/** Both sides together: theirs is what they changed or added since the base, and what either removed is gone. */
function merge(base: Line, ours: Line, theirs: Line): Line {
  const find = (line: Line, id: string): Item | undefined => line.items.find((item) => item.id === id)
  const kept = ours.items.flatMap((item) => {
    const [old, other] = [find(base, item.id), find(theirs, item.id)]
    if (old !== undefined && other === undefined) return []
    return [other !== undefined && old !== undefined && item.by === old.by ? other : item]
  })
  const added = theirs.items.filter(({ id }) => find(base, id) === undefined)
  return { ...ours, items: [...kept, ...added] }
}

test('Through any additions, edits, moves, removals, renames and merges, each item belongs to its author', async () => {
  const repository = createRepository()
  const { value } = await openRepository(repository.dir)
  const opened = value as Repository
  let branch = 0
  await fc.assert(
    fc.asyncProperty(steps, steps, steps, steps, async (first, ours, theirs, last) => {
      const ref = `refs/heads/b${branch++}`
      let mark = 0
      let stream = ''
      const commit = (line: Line, before: Line | null, parents: readonly number[], name: string): number => {
        const text = toText(line)
        const gone = before === null || before.path === line.path ? '' : `D ${before.path}\n`
        const from = parents.map((parent, place) => `${place === 0 ? 'from' : 'merge'} :${parent}\n`).join('')
        const head = `commit ${ref}\nmark :${++mark}\ncommitter A <a@example.org> ${mark} +0000\ndata ${name.length}\n${name}\n`
        stream += `${head}${from}${gone}M 100644 inline ${line.path}\ndata ${Buffer.byteLength(text)}\n${text}\n`
        return mark
      }
      const run = (
        start: Line,
        tip: number | null,
        list: readonly Step[],
        side: string,
      ): readonly [Line, number] => {
        let [line, at] = [start, tip]
        for (const [place, step] of list.entries()) {
          const next = walk(line, step, `${side}${place}`)
          at = commit(next, at === null ? null : line, at === null ? [] : [at], `${side}${place}`)
          line = next
        }
        return [line, at ?? 0]
      }
      const nothing: Line = { items: [], path: 'menus/main.yaml', form: 0 }
      const [base, fork] = run(nothing, null, first, 'a')
      const [mine, left] = run(base, fork, ours, 'b')
      // A file that is renamed on both sides is a conflict that the model does not settle.
      const [other, right] = run(
        base,
        fork,
        theirs.filter(([kind]) => kind !== 'rename'),
        'c',
      )
      const both = merge(base, mine, other)
      const merged = commit(both, null, right === fork ? [left] : [left, right], 'merge')
      const [end] = run(both, merged, last, 'd')
      // In the merge, the file of their side is gone where it was renamed on ours.
      const { status, stderr } = spawnSync('git', ['fast-import', '--quiet'], {
        cwd: repository.dir,
        input: stream,
        encoding: 'utf8',
      })
      assert.is(status, 0, stderr)
      const history = createMenuHistory(opened, DEFAULT_LIMITS)
      const version = await history.latest(ref, end.path)
      if (version === null) throw new Error('the file is not there')
      const menu = (await history.value(version)) as Json
      const origins = await blameItems(history, { value: menu, version, before: [] }, () => {})
      const told = placedItems(menu).map(({ item, pointer }) => [
        isMap(item) ? item['id'] : '',
        origins.get(pointer)?.find(({ field }) => field !== POSITION)?.commit?.subject,
      ])
      assert.equal(
        told,
        end.items.map(({ id, by }) => [id, by]),
      )
    }),
    { numRuns: sized(8, 80) },
  )
  repository.close()
})

test.run()
