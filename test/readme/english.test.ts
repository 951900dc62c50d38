import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Prose, proseOfMarkdown, proseOfTypeScript } from './prose.js'
import { PAGES, ROOT, readPage } from './readme.js'

/** A wording that sounds translated, and what a native writer would write. */
type Pattern = readonly [banned: RegExp, better: string]

/** In whatever people read: pages, messages and comments. */
const EVERYWHERE: readonly Pattern[] = [
  [/\bwithout a word\b/i, 'silently'],
  [/\bon a guess\b/i, 'with an invalid …'],
  [/\bby itself\b/i, 'automatically, alone'],
  [/\bin nobody's way\b/i, 'say what happens'],
  [/\bis another one by now\b/i, 'has changed'],
  [/\bleaves? word\b/i, 'records'],
  [/\bin a time of\b/i, 'within'],
  [/\bprocessor time\b|\btime of the processor\b/i, 'CPU time'],
  [/\blimits? of the system on\b/i, 'file-watch limit, system limit'],
  [/\bleast severe\b/i, 'minimum log level'],
  [/\bcontent coding\b/i, 'encoding'],
  [/\b(?:one|another|any) slip\b/i, 'typing error'],
  [/\btakes? back\b|\btaken back\b/i, 'undo'],
  [/\bgo on editing\b/i, 'keep editing'],
  [/\bdone again\b/i, 'redone'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
]

/** In what users read: pages, and the strings of the sources. */
const FOR_USERS: readonly Pattern[] = [
  [/\bof (?:yours|ours)\b/i, 'your …, Menuscript’s …'],
  [/\bsomebody\b/i, 'someone, a user, an operator'],
  [/\banswers? (?:with|to|404|\d)/i, 'returns'],
  [/\b(?:endpoint|service|server|handler|hook|command|request) answers\b/i, 'returns, serves, prints'],
  [/\basked for\b/i, 'requested'],
  [/\breplace(?:s \w+|s? (?:it|them|one))? by\b/i, 'replace with'],
  [/\bas a whole\b(?! file)/i, 'whole'],
  [/\b(?:tells?|told)\b/i, 'report, print, show, say'],
  [/\bwhoever\b/i, 'the person who, anyone who'],
  [/\bin place of\b/i, 'instead of'],
  [/\bgives? one of them\b/i, 'pass only one of them'],
]

/** On pages only. */
const ON_PAGES: readonly Pattern[] = [
  [/\b(?:answers?|answered)\b/i, 'response, returns'],
  [/\bcounts? as\b|\bit counts\b|\bcount apart\b/i, 'is treated as, applies, takes effect'],
  [/\bl(?:ies|ie|ay|ying) (?:in|inside|beside|behind|outside|there)\b/i, 'is in'],
  [/\bstands? (?:in|beside|under|for)\b/i, 'appears, is in'],
  [/\bbeside\b/i, 'compared with, next to'],
  [/\balso (?:after|if|when|while|in|from)\b/i, 'even after, even if'],
  [/\beverybody\b|\bnobody\b(?!['’`])/i, 'everyone, no one'],
  [/\bblanks?\b(?! nor)/i, 'space'],
  [/\baside\b/i, 'apart from'],
  [/\bthe (?:periodic )?look\b/i, 'the rescan'],
  [/(?<!there )\bis no (?!longer)/i, 'is not a'],
  [/^(?:- )?Of (?:a|the|all|several|two) /, 'the subject first'],
  [/^#+ (?:What|Who|Why|How|When|Where|Which)\b/, 'a topic: “Caching”'],
]

/** The faults of some prose: file and line, the wording and a better one. */
function faultsOf(path: string, prose: readonly Prose[], patterns: readonly Pattern[]): readonly string[] {
  return prose.flatMap(({ line, text }) =>
    patterns.flatMap(([banned, better]) => {
      const found = banned.exec(text)?.[0]
      return found === undefined ? [] : [`${path}:${line} “${found}”: write ${better}`]
    }),
  )
}

test('The pages use no wording that sounds translated', () => {
  const pages = [...PAGES, readPage('CHANGELOG.md')]
  const { path, text } = readPage('CONTRIBUTING.md')
  assert.equal(
    [
      ...pages.flatMap((page) =>
        faultsOf(page.path, proseOfMarkdown(page.text), [...EVERYWHERE, ...FOR_USERS, ...ON_PAGES]),
      ),
      ...faultsOf(path, proseOfMarkdown(text), [...EVERYWHERE, ...FOR_USERS]),
    ],
    [],
  )
})

test('The strings and comments of the sources use no wording that sounds translated', () => {
  const paths = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/(?:^|[/\\-])de\.ts$/.test(path))
    .sort()
  assert.ok(paths.length > 100)
  assert.equal(
    paths.flatMap((path) => {
      const prose = proseOfTypeScript(readFileSync(join(ROOT, 'src', path), 'utf8'))
      const strings = prose.filter(({ isComment }) => !isComment)
      return [...faultsOf(`src/${path}`, prose, EVERYWHERE), ...faultsOf(`src/${path}`, strings, FOR_USERS)]
    }),
    [],
  )
})

test('The descriptions of the schemas use no wording that sounds translated', () => {
  const paths = readdirSync(join(ROOT, 'schemas')).filter((name) => name.endsWith('.json'))
  assert.equal(
    paths.flatMap((name) => {
      const lines = readFileSync(join(ROOT, 'schemas', name), 'utf8').split('\n')
      const prose = lines.map((text, place) => ({ line: place + 1, text, isComment: false }))
      return faultsOf(
        `schemas/${name}`,
        prose.filter(({ text }) => /"(?:description|errorMessage)":/.test(text)),
        [...EVERYWHERE, ...FOR_USERS],
      )
    }),
    [],
  )
})

test('Code, strings in code blocks and addresses of links are no prose', () => {
  const markdown =
    'A `somebody` in\n[a page](somebody.md).\n\n```sh\nsomebody\n```\n\n| x | somebody |\n|---|---|\n'
  assert.equal(faultsOf('a.md', proseOfMarkdown(markdown), FOR_USERS), [
    'a.md:8 “somebody”: write someone, a user, an operator',
  ])
})

test('Strings, parts of templates and comments are prose, and patterns and names are not', () => {
  const source = [
    'const somebody = /somebody/.test(a) && b / c / d',
    "const text = 'somebody'",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a source that is read
    'const other = `one ${somebody({ a: `two ${somebody} three` })} somebody`',
    '/** A comment about',
    ' * somebody. */',
  ].join('\n')
  assert.equal(
    proseOfTypeScript(source).map(({ line, text, isComment }) => [line, text.trim(), isComment]),
    [
      [2, 'somebody', false],
      [3, 'one', false],
      [3, 'two', false],
      [3, 'three', false],
      [3, 'somebody', false],
      [4, 'A comment about somebody.', true],
    ],
  )
})

test.run()
