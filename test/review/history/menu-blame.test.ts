import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { placedItems } from '../../../src/change/items.js'
import type { Json } from '../../../src/model/json.js'
import { blameItems } from '../../../src/review/history/menu-blame.js'
import { createMenuHistory } from '../../../src/review/history/menu-history.js'
import { openRepository, type Repository } from '../../../src/store/git/repository.js'
import { DEFAULT_LIMITS } from '../../support/limits.js'
import { menuOf } from '../../support/menu-lines.js'
import { inRepository } from '../../support/repository.js'

/** Who last changed each item of a file as it is in HEAD, in short. */
async function blameOf(
  dir: string,
  path = 'menus/main.yaml',
  counted?: (versions: number) => void,
): Promise<string[]> {
  const { value } = await openRepository(dir)
  const repository = value as Repository
  const history = createMenuHistory(repository, DEFAULT_LIMITS)
  const version = await history.latest('HEAD', path)
  assert.ok(version !== null)
  if (version === null) return []
  const menu = (await history.value(version)) as Json
  const start = { value: menu, version, before: [] }
  let count = 1
  const origins = await blameItems(history, start, (versions) => {
    count = versions
  })
  counted?.(count)
  return placedItems(menu).map(({ item, pointer }) => {
    const told = (origins.get(pointer) ?? []).map(({ kind, field, commit, byMerge }) => {
      const name = kind === 'added' || kind === 'moved' || kind === 'unknown' ? '' : ` ${field}`
      return `${kind}${name} ${commit?.subject}${byMerge ? ' by merge' : ''}`
    })
    return `${item['label']}: ${[...new Set(told)].join(', ')}`
  })
}

const at = (path: string, text: string): Record<string, string> => ({ [path]: text })
const main = (...lines: readonly string[]): Record<string, string> => at('menus/main.yaml', menuOf(lines))

test('Each field of an item belongs to its last editor, else to the author of the item', async () => {
  await inRepository({}, async ({ dir, commit }) => {
    commit('one', main('Home /', 'Shop', '  Lamps /lamps'))
    commit('two', main('Home /', 'Shop', '  Lamps /lamps', '  Chairs /chairs'))
    commit('three', main('Start /', 'Shop', '  Lamps /lamps', '  Chairs /chairs'))
    commit('elsewhere', { 'README.md': 'x' })
    assert.equal(await blameOf(dir), [
      'Start: edited label three, added one',
      'Shop: added one',
      'Lamps: added one',
      'Chairs: added two',
    ])
  })
})

test('A move changes the position alone, and another form of the text nothing', async () => {
  await inRepository({}, async ({ dir, commit }) => {
    commit('one', main('Home /', 'Lamps /lamps', 'Shop'))
    commit(
      'form',
      at(
        'menus/main.yaml',
        menuOf(['Home /', 'Lamps /lamps', 'Shop']).replace('url: /lamps', 'url: "/lamps" # new'),
      ),
    )
    commit('nest', main('Home /', 'Shop', '  Lamps /lamps'))
    assert.equal(await blameOf(dir), ['Home: added one', 'Shop: added one', 'Lamps: moved nest, added one'])
    commit('edit', main('Home /', 'Shop', '  Lights /lamps'))
    assert.equal((await blameOf(dir))[2], 'Lights: edited label edit, moved nest, added one')
    commit('both', main('Home /', 'Lamps /lamps', 'Shop'))
    assert.equal((await blameOf(dir))[1], 'Lamps: edited label both, moved both, added one')
  })
})

test('A merge is named only for changes that none of its sides has', async () => {
  await inRepository({}, async ({ dir, commit, git }) => {
    commit('base', main('A /a', 'B /b', 'C /c', 'D /d', 'E /e', 'F /f'))
    git('checkout', '--quiet', '-b', 'side')
    commit('side', main('A /a', 'B /b', 'C /c', 'D /d', 'E /e', 'Side /f', 'New /new'))
    git('checkout', '--quiet', 'main')
    commit('ours', main('Ours /a', 'B /b', 'C /c', 'D /d', 'E /e', 'F /f'))
    git('merge', '--quiet', '--no-commit', 'side')
    commit('merge', main('Ours /a', 'B /b', 'Evil /c', 'D /d', 'E /e', 'Side /f', 'New /new'))
    assert.equal(await blameOf(dir), [
      'Ours: edited label ours, added base',
      'B: added base',
      'Evil: edited label merge by merge, added base',
      'D: added base',
      'E: added base',
      'Side: edited label side, added base',
      'New: added side',
    ])
  })
})

test('Where one branch moves an item and the other edits it, the move and the edit keep their authors', async () => {
  await inRepository({}, async ({ dir, commit, git }) => {
    commit('base', main('A /a', 'B /b', 'C /c', 'D /d', 'E /e', 'S', '  X /x'))
    git('checkout', '--quiet', '-b', 'side')
    commit('side', main('A /a', 'C /c', 'B /b', 'D /d', 'E /e', 'S', '  New lamps /lamps', '  X /x'))
    git('checkout', '--quiet', 'main')
    commit('ours', main('B /b', 'A /a', 'C /c', 'D /d', 'New /e', 'S', '  X /x'))
    git('merge', '--quiet', '--no-commit', '--strategy=ours', 'side')
    commit('merge', main('C /c', 'B /b', 'A /a', 'D /d', 'S', '  New lamps /lamps', '  X /x', '  New /e'))
    assert.equal(await blameOf(dir), [
      'C: moved side, added base',
      'B: moved ours, added base',
      'A: added base',
      'D: added base',
      'S: added base',
      'New lamps: added side',
      'X: added base',
      'New: moved merge by merge, edited label ours, added base',
    ])
  })
})

test('A revert is a change, and a picked commit counts where the first parent has it', async () => {
  await inRepository({}, async ({ dir, commit, git }) => {
    commit('base', main('A /a', 'B /b'))
    git('checkout', '--quiet', '-b', 'side')
    const side = commit('side', main('A /a', 'New /b'))
    commit('more', main('A /a', 'New /b', 'C /c'))
    git('checkout', '--quiet', 'main')
    git('cherry-pick', side)
    git('merge', '--quiet', '--no-edit', 'side')
    git('commit', '--quiet', '--amend', '--message', 'merge')
    const picked = git('rev-parse', 'HEAD^1')
    git('checkout', '--quiet', '-b', 'other', picked)
    git('commit', '--quiet', '--amend', '--message', 'picked')
    commit('D', main('A /a', 'New /b', 'D /d'))
    git('merge', '--quiet', '--no-commit', '--strategy=ours', 'side')
    commit('both', main('A /a', 'New /b', 'C /c', 'D /d'))
    assert.equal(await blameOf(dir), [
      'A: added base',
      'New: edited label picked, added base',
      'C: added more',
      'D: added D',
    ])
    commit('revert', main('A /a', 'B /b', 'C /c', 'D /d'))
    assert.is((await blameOf(dir))[1], 'B: edited label revert, added base')
  })
})

test('A menu is followed by its code and context through renames, even if the commit does more', async () => {
  await inRepository({}, async ({ dir, commit, remove }) => {
    const long = ['A /a', 'B /b', 'C /c', 'D /d', 'E /e', 'F /f']
    commit('one', { 'menus/old.yaml': menuOf(long), 'menus/other.yaml': menuOf(['X /x'], 'code: other') })
    remove('menus/old.yaml')
    // Git takes the other menu, which is text for text what the old one was, for the one that was moved.
    commit('two', {
      'menus/main.yaml': menuOf(['G /g', 'A /a']),
      'menus/copy.yaml': menuOf(long, 'code: mean'),
    })
    assert.equal(await blameOf(dir), ['G: added two', 'A: added one'])
    remove('menus')
    commit('three', at('content/nav/main.yaml', menuOf(['G /g', 'A /a', 'H /h'])))
    assert.equal(await blameOf(dir, 'content/nav/main.yaml'), [
      'G: added two',
      'A: added one',
      'H: added three',
    ])
  })
})

test('Two menus that swap their files keep their histories; a menu that gets another code keeps its own', async () => {
  await inRepository({}, async ({ dir, commit }) => {
    const [a, b] = [menuOf(['A /a', 'B /b']), menuOf(['X /x', 'Y /y'], 'code: other')]
    commit('one', { 'menus/main.yaml': a, 'menus/other.yaml': b })
    commit('two', { 'menus/main.yaml': b, 'menus/other.yaml': a })
    assert.equal(await blameOf(dir), ['X: added one', 'Y: added one'])
    commit('three', at('menus/main.yaml', menuOf(['X /x', 'Z /z'], 'code: third')))
    assert.equal(await blameOf(dir), ['X: added one', 'Z: added three'])
  })
})

test('A change in a broken version belongs to the commit that fixed it; a deleted item that came back is added again', async () => {
  await inRepository({}, async ({ dir, commit, remove }) => {
    commit('one', main('A /a', 'B /b'))
    commit('broken', at('menus/main.yaml', `<<<<<<< x\n${menuOf(['New /a', 'B /b'])}`))
    commit('worse', at('menus/main.yaml', 'items: ['))
    commit('fixed', main('New /a', 'B /b'))
    assert.equal(await blameOf(dir), ['New: edited label fixed, added one', 'B: added one'])
    remove('menus/main.yaml')
    commit('gone')
    commit('back', main('New /a', 'B /b'))
    assert.equal(await blameOf(dir), ['New: added back', 'B: added back'])
  })
})

test('In a shallow clone, changes older than the clone are unknown', async () => {
  await inRepository({}, async ({ dir, commit, git }) => {
    commit('one', main('A /a', 'B /b'))
    commit('two', main('A /a', 'New /b'))
    commit('three', main('A /a', 'New /b', 'C /c'))
    git('clone', '--quiet', '--depth=2', `file://${dir}`, 'clone')
    assert.equal(await blameOf(join(dir, 'clone')), ['A: unknown two', 'New: unknown two', 'C: added three'])
  })
})

test('Versions before the oldest item are not read, and none twice', async () => {
  await inRepository({}, async ({ dir, commit }) => {
    for (let n = 0; n < 12; n++) commit(`old ${n}`, main(`A${n} /a`))
    commit('all', main('X /x', 'Y /y'))
    for (let n = 0; n < 6; n++) commit(`new ${n}`, main('X /x', 'Y /y', `Z${n} /z`))
    let looked = 0
    assert.equal(
      await blameOf(dir, 'menus/main.yaml', (count) => {
        looked = count
      }),
      ['X: added all', 'Y: added all', 'Z5: edited label new 5, added new 0'],
    )
    assert.is(looked, 7)
  })
})

test.run()
