import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A version of a menu file that must not be served. */
export interface Breakage {
  /** What was done to the file. */
  readonly what: string
  readonly content: string | Uint8Array
}

/** A menu without a fault; its name, and the label of its first item, tell its versions apart. */
export function goodMenu(name: string): string {
  return `version: 1
code: main
name: "${name}"
display: { htmlId: main-menu, collapsible: true }
items:
  - label: "${name}"
    url: "/home?x=1"
    icon: bootstrap-icons:house
  - type: section
    label: { en: "Reports", es: "Informes" }
    children:
      - label: Sales
        url: /sales
        permissions: [reports.view]
      - type: divider
  - label: Help
    url: https://help.example.org/
    attributes: { target: _blank, rel: noopener }
`
}

const GOOD = goodMenu('broken')
const FIXTURES = fileURLToPath(new URL('../../fixtures/problems/', import.meta.url))

/** More than 150 versions, each broken in its own way. */
export function breakages(): readonly Breakage[] {
  return [
    ...fixtures(),
    ...eachLine('a tab for its indentation', (line) => line.replace(/^ {2}/, '\t'), /^ {2}/),
    ...eachLine('conflict marks before it', (line) => `<<<<<<< HEAD\n${line}`, /./),
    ...eachLine('its key twice', (line) => `${line}\n${line.replace('- ', '  ')}`, /^ *(- )?[a-z]+: [^|]*$/),
    ...eachLine('an anchor at its value', (line) => line.replace(/: (?=\S)/, ': &a '), /: \S/),
    ...eachLine('a tag at its value', (line) => line.replace(/: (?=\S)/, ': !x '), /: \S/),
    ...eachLine('an alias for its value', (line) => line.replace(/: \S.*$/, ': *a'), /: \S/),
    ...eachLine('its key misspelt', (line) => line.replace(/([a-z]+):/, '$1z:'), /^ *(- )?[a-z]+:/),
    ...eachLine('an open quote', (line) => line.replace(/: ?.*$/, ': "open'), /: /),
    ...eachLine('an open bracket', (line) => line.replace(/: ?.*$/, ': [open'), /: /),
    ...values('version', ['2', '"1"', '1.5', 'true', 'null', '[1]']),
    ...values('code', ['a b', '.a', '"', 'é', 'x'.repeat(65), 'a/b', '[main]', '12345', '']),
    ...values('name', ['', '12', '[x]', '{}', 'true']),
    ...values('items', ['5', '{}', 'text', '[5]', '[[]]', '[{}]', '[null]', '[{ label: x }]']),
    ...urls(['javascript:alert(1)', 'JaVaScRiPt:x', 'data:text/html,x', 'vbscript:x', '//evil.example']),
    ...urls(['\\\\evil.example', '/\\evil.example', 'file:///etc/passwd', 'example.org', 'ftp://x.example']),
    ...bytes(),
    ...wholes(),
  ]
}

/** Those of the problems' own fixtures that one file makes under the options of a fresh service. */
function fixtures(): Breakage[] {
  return readdirSync(FIXTURES).flatMap((code) => {
    const files = readdirSync(join(FIXTURES, code)).filter((file) => file !== 'expected.txt')
    const [file = ''] = files
    const expected = readFileSync(join(FIXTURES, code, 'expected.txt'), 'utf8')
    if (files.length > 1 || !expected.includes(' error ')) return []
    return [{ what: `the fixture ${code}`, content: readFileSync(join(FIXTURES, code, file)) }]
  })
}

function eachLine(what: string, change: (line: string) => string, where: RegExp): Breakage[] {
  const lines = GOOD.trimEnd().split('\n')
  return lines.flatMap((line, place) =>
    where.test(line)
      ? [{ what: `line ${place + 1}: ${what}`, content: `${lines.with(place, change(line)).join('\n')}\n` }]
      : [],
  )
}

function values(key: string, wrong: readonly string[]): Breakage[] {
  const [before = '', behind = ''] = GOOD.split(new RegExp(`^${key}:.*\\n`, 'm'))
  const rest = key === 'items' ? '' : behind
  return wrong.map((value) => ({
    what: `${key}: ${value}`,
    content: `${before}${key}: ${value}\n${rest}`,
  }))
}

function urls(wrong: readonly string[]): Breakage[] {
  return wrong.map((url) => ({
    what: `url: ${url}`,
    content: GOOD.replace('"/home?x=1"', JSON.stringify(url)),
  }))
}

/** Bytes that are no text, at the beginning, in a label, and at the end. */
function bytes(): Breakage[] {
  const wrong = {
    'an invalid byte': [0xff],
    'half a character': [0xe2, 0x82],
    'an overlong slash': [0xc0, 0xaf],
    'half a surrogate pair': [0xed, 0xa0, 0x80],
    'a NUL': [0],
    'an escape': [0x1b],
  }
  const places = [0, GOOD.indexOf('Sales') + 2, GOOD.length]
  return Object.entries(wrong).flatMap(([what, inserted]) =>
    places.map((at) => ({
      what: `${what} at byte ${at}`,
      content: Buffer.concat([
        Buffer.from(GOOD.slice(0, at)),
        Buffer.from(inserted),
        Buffer.from(GOOD.slice(at)),
      ]),
    })),
  )
}

/** Files that are something else altogether. */
function wholes(): Breakage[] {
  const texts = [
    '',
    '\n\n',
    '# later\n',
    'null\n',
    '[]\n',
    '"text"\n',
    '42\n',
    '---\n',
    '{}\n',
    '- a\n',
    '\ufeff',
  ]
  const long = `${GOOD}${'#'.repeat(1_048_576)}`
  const deep = `${GOOD}x-deep: ${'['.repeat(5_000)}${']'.repeat(5_000)}\n`
  const more = [
    long,
    deep,
    `%YAML 1.1\n---\n${GOOD}`,
    `${GOOD}---\n${GOOD}`,
    '<?xml version="1.0"?>\n',
    GOOD.slice(0, -30),
  ]
  return [...texts, ...more].map((content) => ({ what: JSON.stringify(content.slice(0, 20)), content }))
}
