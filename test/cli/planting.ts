/** A menu file as its lines. */
export type Lines = readonly string[]

/** A file with one mistake: its lines, and the line (from 1) at which the mistake is to be told. */
export interface Planted {
  readonly lines: Lines
  readonly line: number
}

/** Numbers from 0 to below 1 that are the same in every run (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A faultless menu under the configuration below; comments and items before the others move its lines about. */
export function menuLines(code: string, comments: number, items: number): Lines {
  const repeat = (count: number, lines: Lines) => Array.from({ length: count }, () => lines).flat()
  return [
    ...repeat(comments, ['# What this menu is for.']),
    'version: 1',
    `code: ${code}`,
    `name: Menu ${code}`,
    'items:',
    ...repeat(items, ['  - label: { en: More, es: Más }', '    url: /more']),
    '  - label: { en: Home, es: Inicio }',
    '    routeName: home',
    '    icon: lucide:house',
    '  - type: section',
    '    label: Reports',
    '    children:',
    '      - label: Sales',
    '        url: /sales',
    '      - type: divider',
    '      - label: Help',
    '        url: https://help.example.org/',
    '        attributes: { target: _blank }',
  ]
}

export const CONFIG = 'locales: [en, es]\nroutes: { home: / }\nicon_library_prefix_map: { lucide: lu }\n'
/** The code of a menu that nothing is planted in, and whose path comes first. */
export const FIRST_CODE = 'menu-0000'

const HOME = '  - label: { en: Home, es: Inicio }'
const SALES = '      - label: Sales'
const NAME = /^name:/

/** Puts lines in the place of one; the mistake is `offset` lines behind it. */
function put(at: string | RegExp, lines: Lines, offset = 0): (file: Lines) => Planted {
  return (file) => {
    const place = file.findIndex((line) => (typeof at === 'string' ? line === at : at.test(line)))
    if (place < 0) throw new Error(`There is no ${at} to put something at.`)
    return { lines: [...file.slice(0, place), ...lines, ...file.slice(place + 1)], line: place + 1 + offset }
  }
}

/** For each code of a problem, how one mistake of that kind gets into a file. */
export const MISTAKES: Readonly<Record<string, (file: Lines) => Planted>> = {
  'unknown-key': put('        url: /sales', ['        ulr: /sales']),
  'missing-key': (file) => ({ ...put(NAME, [])(file), line: file.indexOf('version: 1') + 1 }),
  'wrong-type': put(SALES, ['      - label: 42']),
  'bad-value': put(SALES, [SALES, '        permissionMode: every'], 1),
  'bad-version': put('version: 1', ['version: 2']),
  'unsafe-number': put(NAME, ['name: Unsafe', 'context: { id: 9007199254740993 }'], 1),
  'context-limit': put(NAME, [
    `context: { ${Array.from({ length: 17 }, (_, key) => `k${key}: 1`).join(', ')} }`,
    'name: Limited',
  ]),
  'unused-context': put(NAME, ['name: Unused', 'context: {}'], 1),
  'empty-label': put(SALES, ['      - label: ""']),
  'link-without-destination': put('        url: /sales', [], -1),
  'link-with-two-destinations': put(HOME, [HOME, '    url: /home']),
  'section-url': put('  - type: section', ['  - type: section', '    url: /reports'], 1),
  'divider-children': put(
    '      - type: divider',
    ['      - type: divider', '        children: [{ type: divider }]'],
    1,
  ),
  'ignored-on-divider': put(
    '      - type: divider',
    ['      - type: divider', '        icon: lucide:minus'],
    1,
  ),
  'unsafe-url': put('        url: /sales', ['        url: "javascript:alert(1)"']),
  'url-without-scheme': put('        url: /sales', ['        url: www.example.org']),
  'duplicate-id': (file) =>
    put(SALES, [SALES, '        id: same'], 1)(put(HOME, [HOME, '    id: same'])(file).lines),
  'unknown-route': put('    routeName: home', ['    routeName: hmoe']),
  'unknown-icon-library': put('    icon: lucide:house', ['    icon: ludice:house']),
  'unknown-locale': put(HOME, ['  - label: { en: Home, es: Inicio, fr: Accueil }']),
  'locale-form': put(HOME, ['  - label: { en: Home, ES: Inicio }']),
  'missing-translation': put(HOME, ['  - label: { en: Home }']),
  'duplicate-menu': put(/^code:/, [`code: ${FIRST_CODE}`]),
  'duplicate-key': put(NAME, ['name: One', 'name: Two'], 1),
  'key-not-text': put(SALES, [SALES, '        x-years: { 2024: archive }'], 1),
  'yaml-syntax': put('    icon: lucide:house', ['    icon: "lucide:house" or so']),
  'yaml-alias': put(SALES, ['      - label: *sales']),
  'yaml-merge-key': put(SALES, [SALES, '        <<: { icon: lucide:coin }'], 1),
  'yaml-tag': put(NAME, ['name: !text Tagged']),
  'yaml-directive': (file) => ({ lines: ['%YAML 1.1', '---', ...file], line: 1 }),
  'yaml-documents': (file) => ({ lines: [...file, '---', ...file], line: file.length + 1 }),
  'merge-conflict': put(NAME, ['<<<<<<< HEAD', 'name: Ours', '=======', 'name: Theirs', '>>>>>>> main']),
  'control-character': put(SALES, ['      - label: "Sa\u0007les"']),
  'empty-file': () => ({ lines: ['# to be written'], line: 1 }),
  'not-a-menu': () => ({ lines: ['- label: Home', '  url: /'], line: 1 }),
}
