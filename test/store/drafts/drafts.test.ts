import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { applyOperations } from '../../../src/change/operations/apply.js'
import type { Operation } from '../../../src/change/operations/operation.js'
import { isMap } from '../../../src/model/json.js'
import { type DraftRef, type Drafts, openDrafts } from '../../../src/store/drafts/open-drafts.js'
import type { Draft } from '../../../src/store/drafts/read-draft.js'
import { DEFAULT_LIMITS } from '../../support/limits.js'
import { createMenusFolder } from '../../support/menus-folder.js'
import { yaml } from '../../support/yaml.js'

const MENU = Buffer.from(yaml`
  version: 1
  code: main
  name: Main
  items:
    - label: Home
      url: /
    - label: Sales
      url: /sales
`)

/** Opens the drafts of a new folder, and a draft of ana's in it; all is gone behind the test. */
function drafting(run: (drafts: Drafts, draft: Draft, reopen: () => Drafts, dir: string) => void): void {
  const folder = createMenusFolder()
  let time = 1_000
  const reopen = () => openDrafts(join(folder.dir, 'drafts'), DEFAULT_LIMITS, () => time++)
  const drafts = reopen()
  const draft = drafts.open('ana', 'main.yaml', MENU).value
  if (draft === null) throw new Error('no draft')
  run(drafts, draft, reopen, join(folder.dir, 'drafts', draft.id.slice(0, 32)))
  folder.close()
}

const ref = ({ id, user }: Draft, more: Partial<DraftRef> = {}): DraftRef => ({
  id,
  user,
  revision: null,
  ...more,
})
const named = (name: string): readonly Operation[] => [{ op: 'replace', path: '/name', value: name }]
const nameOf = (draft: Draft | null | undefined) =>
  isMap(draft?.change.value) ? draft.change.value['name'] : null

test('A draft has what its steps make of the text, after undo, redo and another step, and after a restart', () => {
  drafting((drafts, draft, reopen) => {
    drafts.edit(ref(draft), named('A'))
    drafts.edit(ref(draft), named('B'))
    assert.is(nameOf(drafts.undo(ref(draft)).value), 'A')
    assert.is(nameOf(drafts.redo(ref(draft)).value), 'B')
    assert.is(nameOf(drafts.undo(ref(draft)).value), 'A')
    assert.is(nameOf(drafts.edit(ref(draft), named('C')).value), 'C')
    assert.equal(drafts.redo(ref(draft)).fault, { reason: 'nothing-to-redo' })
    assert.is(nameOf(reopen().read(draft.id, 'ana')), 'C')
    for (const name of ['A', 'Main']) assert.is(nameOf(drafts.undo(ref(draft)).value), name)
    assert.equal(drafts.undo(ref(draft)).fault, { reason: 'nothing-to-undo' })
  })
})

const large = (letter: string): readonly Operation[] => [
  { op: 'add', path: '/x-note', value: letter.repeat(900_000) },
]
/** How many large steps a user can add to five drafts. */
function fill(drafts: Drafts, user: string): number {
  let steps = 0
  for (let file = 0; file < 5; file++) {
    const draft = drafts.open(user, `m${file}.yaml`, MENU).value as Draft
    while (drafts.edit(ref(draft), large('ab'.charAt(steps % 2))).fault === null) steps++
  }
  return steps
}

test('A user has room for steps up to half of what the others leave, so that nobody fills it all', () => {
  drafting((drafts) => {
    const [ana, bo] = [fill(drafts, 'ana'), fill(drafts, 'bo')]
    assert.ok(ana >= 30 && ana <= 37, String(ana))
    assert.ok(bo >= 15 && bo <= 19, String(bo))
    const draft = drafts.open('cy', 'main.yaml', MENU).value as Draft
    assert.is(drafts.edit(ref(draft), large('c')).fault, null)
  })
})

test('Drafts that another process has discarded take no room', () => {
  drafting((drafts, _, reopen) => {
    const steps = fill(drafts, 'ana')
    const other = reopen()
    for (const { id, user } of other.list()) other.discard(id, user)
    assert.is(fill(drafts, 'bo'), steps)
  })
})

test('A step keeps the other half of a move on the disk, and a step without one loads as before', () => {
  drafting((drafts, draft, reopen) => {
    const transfer = { file: 'side.yaml', id: 'm' }
    drafts.edit(ref(draft), named('A'), { transfer })
    drafts.edit(ref(draft), named('B'))
    const steps = reopen().read(draft.id, 'ana')?.steps.all ?? []
    assert.equal(
      steps.map((step) => step.kind === 'edit' && step.transfer),
      [transfer, undefined],
    )
  })
})

test('Texts that steps take items from have room as steps do; the same text is kept once, and a refused one is not', () => {
  drafting((drafts, draft, reopen, folder) => {
    const sourceOf = (place: number) => ({
      bytes: Buffer.from(`${MENU}# ${String(place).padStart(4, '0')} ${'x'.repeat(900_000)}\n`),
      pointers: new Map([['/items/0', '/items/0']]),
    })
    const add: readonly Operation[] = [{ op: 'add', path: '/items/0', value: { label: 'A', url: '/a' } }]
    const texts = (): number => readdirSync(folder).filter((name) => name.startsWith('from-')).length
    for (let count = 0; count < 5; count++)
      assert.is(drafts.edit(ref(draft), add, { source: sourceOf(0) }).fault, null)
    assert.is(texts(), 1)
    let place = 1
    while (drafts.edit(ref(draft), add, { source: sourceOf(place) }).fault === null) place++
    assert.ok(place >= 30 && place <= 37, String(place))
    assert.is(texts(), place)
    const again = reopen()
    assert.is(again.read(draft.id, 'ana')?.revision, place + 4)
    assert.equal(again.edit(ref(draft), add, { source: sourceOf(place) }).fault, { reason: 'too-many' })
    assert.is(again.edit(ref(draft), add, { source: sourceOf(0) }).fault, null)
    assert.is(texts(), place)
  })
})

test('E21: a draft that an earlier version kept under a name in another case is resumed by its user', () => {
  drafting((drafts, _, reopen) => {
    const before = drafts.open('Eve', 'main.yaml', MENU).value
    drafts.edit({ id: before?.id ?? '', user: 'eve', revision: null }, named('A'))
    for (const now of [drafts, reopen()]) {
      const resumed = now.open('eve', 'main.yaml', MENU).value
      assert.equal([resumed?.id, resumed?.user, nameOf(resumed)], [before?.id, 'eve', 'A'])
    }
    assert.is(drafts.list().length, 2)
  })
})

test('The draft of a file is resumed by its user, and is not seen by another', () => {
  drafting((drafts, draft) => {
    drafts.edit(ref(draft), named('A'))
    assert.is(drafts.open('ana', 'main.yaml', Buffer.from('other')).value?.id, draft.id)
    const bob = drafts.open('bob', 'main.yaml', MENU).value
    assert.is.not(bob?.id, draft.id)
    assert.is(drafts.read(draft.id, 'bob'), null)
    assert.equal(drafts.edit(ref(draft, { user: 'bob' }), named('B')).fault, { reason: 'gone' })
    assert.equal(
      drafts.list().map(({ user, revision }) => [user, revision]),
      [
        ['bob', 0],
        ['ana', 1],
      ],
    )
  })
})

test('A step for another revision is refused with the draft as it is', () => {
  drafting((drafts, draft) => {
    drafts.edit(ref(draft, { revision: 0 }), named('A'))
    const { fault } = drafts.edit(ref(draft, { revision: 0 }), named('B'))
    assert.is(fault?.reason, 'changed')
    if (fault?.reason === 'changed') assert.is(nameOf(fault.draft), 'A')
  })
})

test('A request that is sent twice is done once, also after a restart', () => {
  drafting((drafts, draft, reopen) => {
    const add: readonly Operation[] = [{ op: 'add', path: '/items/-', value: { label: 'New', url: '/new' } }]
    const once = ref(draft, { key: 'one', revision: 0 })
    const first = drafts.edit(once, add).value
    assert.is(drafts.edit(once, add).value?.revision, first?.revision)
    assert.is(reopen().edit(once, add).value?.revision, first?.revision)
  })
})

test('Operations that do not apply leave the draft as it was, and are named by their place', () => {
  drafting((drafts, draft) => {
    drafts.edit(ref(draft), named('A'))
    const wrong: readonly Operation[] = [...named('B'), { op: 'remove', path: '/items/7' }]
    const { fault } = drafts.edit(ref(draft), wrong)
    assert.is(fault?.reason, 'impossible')
    if (fault?.reason === 'impossible') assert.is(fault.fault.position, 1)
    assert.is(nameOf(drafts.read(draft.id, 'ana')), 'A')
  })
})

test('What a killed process left behind the last whole step does not count, and the next step takes its place', () => {
  for (const torn of ['{"at":1,"kind":"ed', '\0\0\0\0', '{"at":1}{']) {
    drafting((drafts, draft, reopen, dir) => {
      drafts.edit(ref(draft), named('A'))
      appendFileSync(join(dir, 'journal'), torn)
      assert.is(nameOf(reopen().read(draft.id, 'ana')), 'A')
      assert.is(nameOf(drafts.edit(ref(draft), named('B')).value), 'B')
      assert.is(nameOf(reopen().read(draft.id, 'ana')), 'B')
    })
  }
})

test('However short a journal was cut, the draft has the steps that are whole in it', () => {
  drafting((drafts, draft, reopen, dir) => {
    for (const name of ['A', 'B', 'C']) drafts.edit(ref(draft), named(name))
    const whole = readFileSync(join(dir, 'journal'))
    const head = whole.indexOf(10) + 1
    for (let size = whole.length; size >= head; size--) {
      writeFileSync(join(dir, 'journal'), whole)
      truncateSync(join(dir, 'journal'), size)
      // The record at the end is whole without its line break, too.
      const lines = `${whole.toString('utf8', 0, size)}\n`.split(']}\n').length - 1
      assert.is(nameOf(reopen().read(draft.id, 'ana')), ['Main', 'A', 'B', 'C'][lines])
    }
  })
})

test('A draft that was put on another text starts from that, and undo leads back to the text before', () => {
  drafting((drafts, draft, reopen) => {
    drafts.edit(ref(draft), named('A'))
    const other = Buffer.from(MENU.toString().replace('Sales', 'Revenue'))
    const value = { version: 1, code: 'main', name: 'A', items: [{ label: 'Revenue', url: '/sales' }] }
    const origins = [['/items/0', { side: 'theirs', pointer: '/items/1' }] as const]
    const change = { value, origins: new Map(origins) }
    drafts.rebase(ref(draft), other, change)
    const later = drafts.edit(ref(draft), [
      { op: 'replace', path: '/items/0/label', value: 'Turnover' },
    ]).value
    assert.is(later?.base.text, other.toString())
    assert.equal([...(later?.change.origins ?? [])], [['/items/0', { side: 'base', pointer: '/items/1' }]])
    assert.equal(reopen().read(draft.id, 'ana')?.change, later?.change)
    drafts.undo(ref(draft))
    const before = drafts.undo(ref(draft)).value
    assert.is(before?.base.text, MENU.toString())
    assert.is(nameOf(before), 'A')
  })
})

test('A discarded draft is gone, and a later one of the same file is another', () => {
  drafting((drafts, draft, _, dir) => {
    drafts.discard(draft.id, 'bob')
    assert.ok(existsSync(dir))
    drafts.discard(draft.id, 'ana')
    assert.equal(readdirSync(join(dir, '..')), [])
    drafts.open('ana', 'main.yaml', MENU)
    assert.equal(drafts.edit(ref(draft), named('A')).fault, { reason: 'gone' })
  })
})

test('A draft that another process has discarded and begun anew is not mistaken for the one before', () => {
  drafting((drafts, draft, reopen) => {
    const others = reopen()
    others.discard(draft.id, 'ana')
    others.open('ana', 'main.yaml', Buffer.from(`${MENU}# new\n`))
    assert.is(drafts.read(draft.id, 'ana'), null)
    assert.equal(drafts.edit(ref(draft), named('A')).fault, { reason: 'gone' })
  })
})

test('What a killed process left of a draft that it was making or discarding is deleted at the next start', () => {
  drafting((_, __, reopen, dir) => {
    const left = join(dir, '..', '.left')
    mkdirSync(left)
    reopen()
    assert.ok(existsSync(left), 'a process that lives may be making it')
    utimesSync(left, 1, 1)
    reopen()
    assert.not.ok(existsSync(left))
  })
})

test('A draft grows up to its limit in bytes, and stays readable', () => {
  drafting((drafts, draft, reopen) => {
    let steps = 0
    while (drafts.edit(ref(draft), named('語'.repeat(1_000_000))).fault === null) steps++
    assert.is(reopen().read(draft.id, 'ana')?.revision, steps)
  })
})

test('Malformed ids find nothing', () => {
  drafting((drafts) => {
    for (const id of ['', '..', '../../etc', 'x'.repeat(48), '0'.repeat(48), '__proto__'])
      assert.is(drafts.read(id, 'ana'), null)
  })
})

function factsOf(draft: Draft | null): readonly unknown[] {
  return [draft?.base.text, draft?.change, draft?.revision, draft?.changed, draft?.steps.position]
}

test('Any run of steps, undos, redos and restarts is what a list of texts with a position is', () => {
  const moves = fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.string({ maxLength: 4 }).map((name) => ({ kind: 'edit' as const, name })) },
      { weight: 2, arbitrary: fc.constantFrom({ kind: 'undo' as const }, { kind: 'redo' as const }) },
      { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
    ),
    { maxLength: 12 },
  )
  fc.assert(
    fc.property(moves, (all) => {
      drafting((first, draft, reopen) => {
        let drafts = first
        let names = ['Main']
        let at = 0
        for (const move of all) {
          if (move.kind === 'restart') drafts = reopen()
          else if (move.kind === 'edit') {
            drafts.edit(ref(draft), [...named(move.name), { op: 'move', from: '/items/0', path: '/items/1' }])
            names = [...names.slice(0, at + 1), move.name]
            at++
          } else {
            drafts[move.kind](ref(draft))
            at = Math.min(Math.max(at + (move.kind === 'undo' ? -1 : 1), 0), names.length - 1)
          }
          assert.is(nameOf(drafts.read(draft.id, 'ana')), names[at])
          // What is remembered is what a start would read.
          const [kept, read] = [drafts, reopen()].map((each) => factsOf(each.read(draft.id, 'ana')))
          assert.equal(kept, read)
        }
      })
    }),
    { numRuns: 40 },
  )
})

test('The steps of a draft give the same as all their operations at once', () => {
  drafting((drafts, draft) => {
    const all: readonly Operation[] = [
      { op: 'move', from: '/items/1', path: '/items/0' },
      { op: 'add', path: '/items/0/children', value: [] },
      { op: 'move', from: '/items/1', path: '/items/0/children/0' },
      { op: 'replace', path: '/items/0/children/0/label', value: 'Start' },
    ]
    for (const each of all) drafts.edit(ref(draft), [each])
    const { value, origins } = drafts.read(draft.id, 'ana')?.change ?? {}
    const { value: once } = applyOperations(draft.base.value ?? {}, all)
    assert.equal([value, origins], [once?.value, once?.origins])
  })
})

const DAMAGE: Readonly<Record<string, string | Buffer>> = {
  'no record': 'null\n',
  'of another kind': '{"at":1,"kind":"split"}\n',
  'without its operations': '{"at":1,"kind":"edit"}\n',
  'with operations of another kind': '{"at":1,"kind":"edit","operations":[{"op":"swap","path":""}]}\n',
  'with half a move': '{"at":1,"kind":"edit","operations":[],"transfer":{"file":"side.yaml"}}\n',
  'with a base elsewhere': '{"at":1,"kind":"rebase","base":"../../secret","value":{},"origins":{}}\n',
  'without origins': '{"at":1,"kind":"rebase","base":"base-1","value":{}}\n',
  'too many': '{"at":1,"kind":"undo"}\n'.repeat(5_001),
  'too large': Buffer.alloc(16_777_217, 'x'),
}

for (const [name, bytes] of Object.entries(DAMAGE)) {
  test(`A journal with records that are ${name} is kept aside for people, and hides no other draft`, () => {
    drafting((drafts, draft, reopen, dir) => {
      const other = drafts.open('ben', 'main.yaml', MENU).value
      appendFileSync(join(dir, 'journal'), bytes)
      assert.equal(
        reopen()
          .list()
          .map(({ id }) => id),
        [other?.id],
      )
      assert.equal(drafts.edit(ref(draft), named('A')).fault, { reason: 'gone' })
      assert.is(nameOf(drafts.open('ana', 'main.yaml', MENU).value), 'Main')
      const [kept = ''] = readdirSync(join(dir, '..')).filter((entry) => entry.startsWith('unread-'))
      assert.ok(readFileSync(join(dir, '..', kept, 'journal')).includes(bytes))
    })
  })
}

test('Drafts that cannot be listed are none, and a draft has up to 5,000 steps', () => {
  drafting((drafts, draft, reopen, dir) => {
    appendFileSync(join(dir, 'journal'), '{"at":1,"kind":"undo"}\n'.repeat(5_000))
    assert.equal(reopen().edit(ref(draft), named('A')).fault, { reason: 'too-large' })
    renameSync(join(dir, '..'), join(dir, '../../away'))
    assert.equal(drafts.list(), [])
  })
})

test.run()
