import { mergeMenus } from '../../src/change/merge/merge.js'
import type { Json, JsonMap } from '../../src/model/json.js'
import { createRandom } from '../cli/planting.js'
import { openReport } from './report.js'
import { compareLegs, timeOf } from './rounds.js'

const HELP = `Usage: node --import tsx test/bench/merge-speed.ts [N]

Merges menus of N items (default: 2000) that differ in several ways, and prints the processor time of each merge, beside
writing and parsing the three menus as JSON.
`
const ROUNDS = 5

type Item = JsonMap

const [argument = '2000'] = process.argv.slice(2)
if (argument === '--help') process.stdout.write(HELP)
else await measureAll(Number(argument))

async function measureAll(count: number): Promise<void> {
  const random = createRandom(1)
  const shuffled = <T>(list: readonly T[]): T[] =>
    list
      .map((each) => [random(), each] as const)
      .sort(([a], [b]) => a - b)
      .map(([, each]) => each)
  const numbers = [...Array(count).keys()]
  const links = (label: string, url: string): Item[] =>
    numbers.map((number) => ({ label: `${label} ${number}`, url: `/${url}/${number}` }))
  const sections = (items: readonly Item[], name: string): Item[] =>
    [...Array(Math.ceil(count / 10)).keys()].map((place) => ({
      type: 'section',
      label: `${name} ${place}`,
      children: items.slice(place * 10, place * 10 + 10),
    }))
  const menu = (items: readonly Item[]): Json => ({ version: 1, code: 'main', name: 'Main', items })
  const base = links('label', 'url')
  const few = (label: string): Item[] =>
    numbers.map((number) => ({ label: `${label} ${number % 5}`, url: `/${number % 7}` }))
  const cases: readonly (readonly [name: string, base: Item[], mine: Item[], theirs: Item[]])[] = [
    ['relabelled by one, retargeted by the other', base, links('new', 'url'), links('label', 'new')],
    ['relabelled by both', base, links('mine', 'url'), links('theirs', 'url')],
    ['each another menu', base, links('mine', 'mine'), links('theirs', 'theirs')],
    ['added by both', [], links('mine', 'url'), links('theirs', 'url')],
    ['put in another order by both', base, shuffled(base), shuffled(base)],
    [
      'relabelled and in another order by both',
      base,
      shuffled(links('mine', 'url')),
      shuffled(links('theirs', 'url')),
    ],
    ['few labels and addresses', few('a'), shuffled(few('a')), shuffled(few('b'))],
    [
      'in sections',
      sections(base, 's'),
      sections(links('mine', 'url'), 't'),
      sections(shuffled(links('label', 'theirs')), 's'),
    ],
  ]
  const report = openReport('merge-speed', ROUNDS)
  for (const [what, old, mine, theirs] of cases) {
    const three = [menu(old), menu(mine), menu(theirs)] as const
    const { conflicts } = mergeMenus(...three)
    const merge = () => timeOf(() => mergeMenus(...three))
    const copy = () => timeOf(() => JSON.parse(JSON.stringify(three)))
    const name = `merge ${cases.findIndex(([each]) => each === what) + 1}`
    const named = { name, what: `${what}, ${conflicts.length} conflicts` }
    report({ ...named, goal: null, unit: 'ms', ...(await compareLegs(merge, copy, ROUNDS)) })
  }
}
