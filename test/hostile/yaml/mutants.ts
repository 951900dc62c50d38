import { OWN_FILES, SUITE } from './corpus.js'
import type { Random } from './random.js'

const LARGEST = 200_000
const SMALL = OWN_FILES.filter((text) => text.length < 6_000)

/** What means something in YAML, in a menu, to JavaScript, or to whoever reads bytes. */
const SCRAPS: readonly string[] = [
  ...'-?:,[]{}#&*!|>\'"%@`~\\ \t\n\r'.split(''),
  ...[
    '- ',
    '? ',
    ': ',
    ' #',
    '---\n',
    '...\n',
    '%YAML 1.1\n---\n',
    '|2-\n',
    '>+\n',
    '"',
    "''",
    '\\u',
    '\\x4',
  ],
  ...['&a ', '*a', '!!js/function ', '!<x> ', '<<: *a\n', '<<: {a: b}\n', '~', 'null', '{}', '[]', '- - - '],
  ...['0', '010', '1e3', '-0', '.inf', '.NaN', '9007199254740993', '1e999', 'no', 'on', 'true', '2024-01-01'],
  ...[
    '__proto__',
    'constructor',
    'toString',
    '\0',
    '\u0007',
    '\u0085',
    '\u2028',
    '\u202e',
    '\u200d',
    '\ufeff',
  ],
  ...['\ufffe', '\ud800', '🍰', 'é', '<<<<<<< a\n', '=======\n', '>>>>>>> b\n', '</script>', '{{ 7 * 7 }}'],
  ...['javascript:alert(1)', '//evil.example', 'https://', '/a b', 'x'.repeat(1_100), '[[[[[[[[', '{a: {a: '],
  ...[
    '\nitems: []\n',
    'children:\n',
    'type: divider\n',
    'label: ',
    'url: /\n',
    'permissions: [a]\n',
    'x-a: ',
  ],
]
const SCALARS = SCRAPS.filter((scrap) => !scrap.includes('\n'))
const KEYS = [
  ...['version', 'code', 'name', 'context', 'display', 'items', 'label', 'type', 'url', 'routeName', 'icon'],
  ...[
    'routeParams',
    'permissions',
    'permissionMode',
    'attributes',
    'hidden',
    'children',
    'id',
    'x-a',
    'en',
    '',
  ],
]

type Mutation = (text: string, random: Random) => string

/** What happens to a text in an editor, in a merge, on a disk, or at the hands of somebody who means harm. */
const MUTATIONS: readonly Mutation[] = [
  (text, random) => splice(text, random.below(text.length + 1), 0, random.pick(SCRAPS)),
  (text, random) => splice(text, random.below(text.length + 1), random.scaled(1, 100), ''),
  (text, random) => splice(text, random.below(text.length + 1), random.scaled(1, 30), random.pick(SCRAPS)),
  (text, random) => text.slice(0, random.below(text.length + 1)),
  (text, random) => {
    const at = random.below(text.length + 1)
    const piece = random.pick([random.pick(SCRAPS), text.slice(at, at + random.scaled(1, 60))])
    return splice(text, at, 0, piece.repeat(random.scaled(1, 3_000)))
  },
  (text, random) =>
    changeLines(text, (lines) => {
      const [from, to] = [random.below(lines.length), random.below(lines.length)]
      return lines.toSpliced(to, 0, ...lines.slice(from, from + random.scaled(1, 10)))
    }),
  (text, random) =>
    changeLines(text, (lines) => {
      const [at, count] = [random.below(lines.length), random.scaled(1, 10)]
      const more = random.pick([-2, -1, 1, 2])
      return lines.map((line, place) => (place < at || place >= at + count ? line : indent(line, more)))
    }),
  (text, random) =>
    changeLines(text, (lines) => {
      const other = random.pick(random.pick([SMALL, SUITE.map(({ yaml }) => yaml)])).split('\n')
      const from = random.below(other.length)
      return lines.toSpliced(random.below(lines.length), 0, ...other.slice(from, from + random.scaled(1, 8)))
    }),
  (text, random) => change(text, random, /: ?[^\s#][^\n]*/g, () => `: ${random.pick(SCALARS)}`),
  (text, random) => change(text, random, /\b[A-Za-z_]{1,30}(?=: |:\n)/g, () => random.pick(KEYS)),
  (text, random) =>
    change(text, random, /\n +/g, (found) => found.replaceAll(' ', random.pick(['\t', ' ', '']))),
  (text, random) =>
    change(text, random, /: ?[^\s#][^\n]*/g, () => `: ${JSON.stringify(random.pick(SCRAPS))}`),
  (text, random) =>
    change(text, random, /\n/g, () => random.pick(['\n\n', ' \n', ' # a\n', '\n#\n', '\r\n'])),
  (text, random) =>
    random.pick([text.replaceAll('\n', '\r\n'), text.replaceAll('\n', '\r'), `\ufeff${text}`]),
]

/** The bytes of the file that this randomness makes of one of ours, or of one of the YAML test suite. */
export function mutant(random: Random): Uint8Array {
  const seeds = random.pick([SMALL, SMALL, SUITE.map(({ yaml }) => yaml)])
  let text = random.pick(seeds)
  for (let left = random.pick([1, 1, 1, 2, 3, 6]); left > 0; left--) {
    text = random.pick(MUTATIONS)(text, random).slice(0, LARGEST)
  }
  const bytes = Buffer.from(text, random.below(50) === 0 ? 'utf16le' : 'utf8')
  for (let flips = random.below(20) === 0 ? random.scaled(1, 5) : 0; flips > 0 && bytes.length > 0; flips--) {
    bytes[random.below(bytes.length)] = random.below(256)
  }
  return bytes
}

function splice(text: string, at: number, length: number, insert: string): string {
  return text.slice(0, at) + insert + text.slice(at + length)
}

function changeLines(text: string, work: (lines: readonly string[]) => readonly string[]): string {
  return work(text.split('\n')).join('\n')
}

function indent(line: string, more: number): string {
  return more > 0 ? ' '.repeat(more) + line : line.replace(new RegExp(`^ {0,${-more}}`), '')
}

/** Changes one of the places where a pattern is found. */
function change(text: string, random: Random, pattern: RegExp, to: (found: string) => string): string {
  const places = [...text.matchAll(pattern)]
  if (places.length === 0) return text
  const { 0: found, index } = random.pick(places)
  return splice(text, index, found.length, to(found))
}
