import { bigMenu } from '../../hostile/http/built-service.js'

/** What is asked of which menus, and how much it may cost beside the baseline. */
export interface Row {
  readonly name: string
  readonly what: string
  /** Menus by path. */
  readonly files: Readonly<Record<string, string>>
  readonly path: (turn: number) => string
  /** What requests send besides Accept, in turn. Default: nothing. */
  readonly headers?: readonly Readonly<Record<string, string>>[]
  /** Whether the client has the answer already. Default: false. */
  readonly isKnown?: boolean
  /** Menus that answer the same in a service of ours, where that is the baseline. Default: plain node:http. */
  readonly baseline?: Readonly<Record<string, string>>
  /** Null where nothing is promised. */
  readonly goal: number | null
}

const LINKS = 38
const MAIN = { 'menus/main.yaml': bigMenu('main', LINKS) }
const SETS = (partner: number, space = ''): string =>
  `_locale=en&_context_sets=${encodeURIComponent(
    JSON.stringify([
      { partner, region: 'north', tier: 'gold' },
      { partner, region: 'north' },
      { partner },
      {},
    ]) + space,
  )}`
const plain = (): string => '/api/menu/main'

/** A menu without a context, and `count` variants of it. */
function siblings(count: number): Row['files'] {
  const variants = Array.from({ length: count }, (_, place) => {
    const menu = { version: 1, code: 'main', name: 'Variant', context: { partner: place }, items: [] }
    return [`menus/${place}.yaml`, JSON.stringify(menu)] as const
  })
  return { ...MAIN, ...Object.fromEntries(variants) }
}

/** Menus of the same size for each of twenty viewers, who have one permission each, named by a header. */
const VIEWERS = Array.from({ length: 20 }, (_, place) => ({ 'x-permissions': `part-${10 + place}` }))
const PER_VIEWER = {
  'menuscript.config.yaml': 'policies: policies.mjs\n',
  'policies.mjs': `export const resolveViewer = ({ headers }) => ({ id: null, permissions: [headers['x-permissions']] })\n`,
  'menus/main.yaml': JSON.stringify({
    ...{ version: 1, code: 'main', name: 'Main' },
    items: [
      ...Array.from({ length: LINKS - 1 }, (_, place) => ({ label: `Entry ${place}`, url: `/${place}` })),
      ...VIEWERS.map((_, place) => ({
        label: `Part ${10 + place}`,
        url: `/${10 + place}`,
        permissions: [`part-${10 + place}`],
      })),
    ],
  }),
}
const WITH_CHECKER = `${PER_VIEWER['policies.mjs']}export const canView = ({ permissions }, viewer) => permissions.every((each) => viewer.permissions.includes(each))\n`

/** The rows of GET /api/menu/{code}. */
export const ROWS: readonly Row[] = [
  { name: 'cached', what: 'a tree of 4 KB', files: MAIN, path: plain, goal: 1.25 },
  {
    name: 'seen',
    what: 'locale and four contexts, a URL seen before',
    files: MAIN,
    path: () => `/api/menu/main?${SETS(7)}`,
    goal: 1.3,
  },
  {
    name: 'new',
    what: 'locale and four contexts, every URL new',
    files: MAIN,
    path: (turn) => `/api/menu/main?${SETS(1_000_000 + turn)}`,
    goal: 1.7,
  },
  // What the memory of targets, and their admission to it, save in the rows above.
  {
    name: 'twice',
    what: 'the same, every URL twice: the second time it is remembered',
    files: MAIN,
    path: (turn) => `/api/menu/main?${SETS(1_000_000 + Math.floor(turn / 2))}`,
    goal: null,
  },
  // What reading context sets without JSON.parse saves.
  {
    name: 'new-json',
    what: 'every URL new, with a space behind the contexts, which only JSON.parse reads',
    files: MAIN,
    path: (turn) => `/api/menu/main?${SETS(1_000_000 + turn, ' ')}`,
    goal: null,
  },
  {
    name: 'nodes-500',
    what: 'a tree of 500 nodes',
    files: { 'menus/main.yaml': bigMenu('main', 500) },
    path: plain,
    goal: 1.25,
  },
  {
    name: 'nodes-1900',
    what: 'a tree of 1,900 nodes',
    files: { 'menus/main.yaml': bigMenu('main', 1_900) },
    path: plain,
    goal: 1.25,
  },
  {
    name: 'siblings',
    what: '10,000 variants, compared with 10',
    files: siblings(10_000),
    baseline: siblings(10),
    path: plain,
    goal: 1.05,
  },
  { name: '304', what: 'If-None-Match', files: MAIN, path: plain, isKnown: true, goal: 1.25 },
  {
    name: 'gzip',
    what: 'gzip',
    files: MAIN,
    path: plain,
    headers: [{ 'accept-encoding': 'gzip' }],
    goal: 1.25,
  },
  {
    name: 'br',
    what: 'br',
    files: MAIN,
    path: plain,
    headers: [{ 'accept-encoding': 'gzip, deflate, br' }],
    goal: 1.25,
  },
  // What the memory of Accept-Encoding saves.
  {
    name: 'br-new',
    what: 'br, with a header that nobody sent lately',
    files: MAIN,
    path: plain,
    headers: Array.from({ length: 500 }, (_, place) => ({
      'accept-encoding': `br, gzip;q=0.${100 + place}`,
    })),
    goal: null,
  },
  {
    name: 'permissions',
    what: '20 viewers with different permissions',
    files: PER_VIEWER,
    path: plain,
    headers: VIEWERS,
    goal: 1.3,
  },
  {
    name: 'checker',
    what: 'the same viewers, with the hook canView',
    files: { ...PER_VIEWER, 'policies.mjs': WITH_CHECKER },
    path: plain,
    headers: VIEWERS,
    goal: null,
  },
]
