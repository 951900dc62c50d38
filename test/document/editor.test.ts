import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite, test } from 'uvu'
import * as assert from 'uvu/assert'
import menuSchema from '../../schemas/menu.schema.json' with { type: 'json' }
import { type Completion, type Editor, openEditor } from './language-server.js'
import { onlyItem, parse } from './parsing.js'

const FIXTURES = fileURLToPath(new URL('../fixtures/editor/', import.meta.url))
const MODELINE = '# yaml-language-server: $schema=../../../schemas/menu.schema.json\n'
const HEAD = `${MODELINE}version: 1\ncode: main\nname: Main\n`

const inEditor = suite<{ editor: Editor }>('in an editor')
inEditor.before(async (context) => {
  context.editor = await openEditor()
})
inEditor.after((context) => context.editor.close())

/** What an editor says about a fixture, a line each. */
async function diagnose(editor: Editor, name: string): Promise<string[]> {
  const path = join(FIXTURES, name)
  const found = await editor.diagnose(path, readFileSync(path, 'utf8'))
  return found.map(({ range, message }) => `${range.start.line + 1}:${range.start.character + 1} ${message}`)
}

/** Where ^ stands in a text, and the text without it. */
function toPlace(marking: string) {
  const before = marking.slice(0, marking.indexOf('^')).split('\n')
  const place = { line: before.length - 1, character: before.at(-1)?.length ?? 0 }
  return { text: marking.replace('^', ''), place }
}

let opened = 0
async function complete(editor: Editor, marking: string): Promise<readonly Completion[]> {
  const { text, place } = toPlace(marking)
  const path = join(FIXTURES, `unsaved-${++opened}.yaml`)
  await editor.diagnose(path, text)
  return editor.complete(path, place)
}

async function hover(editor: Editor, marking: string): Promise<string> {
  const { text, place } = toPlace(marking)
  const path = join(FIXTURES, `unsaved-${++opened}.yaml`)
  await editor.diagnose(path, text)
  return editor.hover(path, place)
}

const labelsOf = (found: readonly Completion[]) => found.map(({ label }) => label)

inEditor(
  'a menu without mistakes has nothing to say about it, and the service agrees',
  async ({ editor }) => {
    assert.equal(await diagnose(editor, 'good.yaml'), [])
    const file = parse(readFileSync(join(FIXTURES, 'good.yaml')), { locales: ['en', 'es', 'pt-BR'] })
    assert.equal(file.problems, [])
  },
)

inEditor('mistakes are flagged where they stand, in words that say what to do', async ({ editor }) => {
  assert.equal(await diagnose(editor, 'wrong.yaml'), [
    '3:7 Must be 1 to 64 letters, digits, dots, underscores and hyphens, not starting with a dot',
    '6:5 Property lable is not allowed.',
    '6:5 Missing property "label".',
    '9:10 Must be an http, https, mailto, tel or sms URL, a path from /, ./ or ../, a query or a fragment, without blanks and backslashes',
    '10:5 A link needs a routeName or a url; a heading is a section: write "type: section".',
    '12:5 A link needs exactly one of routeName and url: delete one of the two.',
    '16:5 A section cannot have a url: delete it, or make it a link (links may have children, too).',
    '18:5 A divider cannot have children: make it a section, or move them out.',
    '19:12 A label is a text, or texts by locale. Quote a number, true or false.',
    '21:14 Must be a locale, such as en or pt-BR',
    '25:19 Property onclick is not allowed.',
  ])
})

inEditor('what an editor flags the service refuses, line by line', async ({ editor }) => {
  const flagged = (await diagnose(editor, 'wrong.yaml')).map((line) => Number.parseInt(line, 10))
  const { problems } = parse(readFileSync(join(FIXTURES, 'wrong.yaml')))
  const lines = problems.filter(({ severity }) => severity === 'error').map(({ line }) => line)
  // An item that has both destinations is marked at its first line, and in the editor at the key that is too many.
  assert.equal([...new Set(lines)], [...new Set(flagged.map((line) => (line === 12 ? 11 : line)))])
})

inEditor('an empty file offers a whole menu', async ({ editor }) => {
  const found = await complete(editor, `${MODELINE}^`)
  const menu = found.find(({ label }) => label === 'menu')
  assert.match(menu?.insertText ?? '', /^version: 1\ncode: .*\nname: .*\nitems:\n {2}- label: /)
})

inEditor('inside an item every key and a snippet for each kind of item is offered', async ({ editor }) => {
  for (const lines of [
    'items:\n  - ^',
    'items:\n  - type: section\n    label: A\n    children:\n      - ^',
  ]) {
    const found = labelsOf(await complete(editor, HEAD + lines))
    const keys = Object.keys(menuSchema.definitions.item.properties)
    const snippets = menuSchema.definitions.item.defaultSnippets.map(({ label }) => label)
    assert.equal([...found].sort(), [...keys, ...snippets].sort())
  }
})

inEditor('keys that an item has already are not offered again', async ({ editor }) => {
  const found = labelsOf(await complete(editor, `${HEAD}items:\n  - label: A\n    ^`))
  assert.not.ok(found.includes('label'))
  assert.ok(found.includes('routeName'))
})

inEditor(
  'values are offered where there are a few, and examples where there are many',
  async ({ editor }) => {
    const offered = {
      'items:\n  - type: ^': ['link', 'section', 'divider'],
      'items:\n  - permissionMode: ^': ['all', 'any'],
      'items:\n  - attributes:\n      target: ^': ['_blank', '_self'],
      'items:\n  - attributes:\n      dir: ^': ['ltr', 'rtl', 'auto'],
      'items:\n  - url: ^': ['https://example.org/', '/about', 'mailto:info@example.org', '"#contact"'],
    }
    for (const [lines, values] of Object.entries(offered)) {
      assert.equal(labelsOf(await complete(editor, HEAD + lines)), values, lines)
    }
  },
)

inEditor('no completion is an object that nobody can read', async ({ editor }) => {
  const places = ['label', 'icon', 'permissions', 'attributes', 'routeParams', 'children', 'hidden']
  for (const marking of [
    ...places.map((key) => `items:\n  - ${key}: ^`),
    'context: ^',
    'display: ^',
    'items: ^',
  ]) {
    const found = await complete(editor, HEAD + marking)
    for (const { label, insertText } of found)
      assert.not.match(`${label} ${insertText}`, /\[object|undefined/)
  }
})

inEditor('pointing at a key tells what it is for', async ({ editor }) => {
  const told = {
    'items: [{label: A, routeN^ame: a}]': 'name of a route of the application',
    'items: [{la^bel: A, url: /}]': 'What visitors read',
    'items: [{label: {e^n: A}, url: /}]': 'The text in this language',
    'con^text: {a: 1}': 'an **equal** context',
    'items: [{x-no^te: A}]': 'Your own key',
    'display: {classes: {bra^nch: A}}': 'the items above that link',
  }
  for (const [marking, words] of Object.entries(told)) {
    assert.match(await hover(editor, HEAD + marking), words, marking)
  }
})

inEditor.run()

test('every key of the format has a description', () => {
  const bare: string[] = []
  const look = (node: unknown, path: string): void => {
    if (typeof node !== 'object' || node === null) return
    for (const [name, member] of Object.entries(node)) {
      if (name === 'properties' && !path.includes('allOf')) {
        for (const [key, schema] of Object.entries(member as object)) {
          if (!isDescribed(schema)) bare.push(`${path}/${key}`)
        }
      }
      look(member, `${path}/${name}`)
    }
  }
  look(menuSchema, '')
  assert.equal(bare, [])
})

function isDescribed(schema: unknown): boolean {
  const { description, $ref } = schema as { readonly description?: string; readonly $ref?: string }
  if (description !== undefined) return true
  const name = $ref?.replace('#/definitions/', '') ?? ''
  return isDescribed(
    Object.entries(menuSchema.definitions).find(([key]) => key === name)?.[1] ?? { description: null },
  )
}

test('each snippet of an item is an item that loads', () => {
  for (const { label, body } of menuSchema.definitions.item.defaultSnippets) {
    const filled = JSON.stringify(body).replace(/\$\{\d:(.*?)\}/g, (_, text: string) =>
      text === 'https://' ? 'https://example.org/' : text,
    )
    const file = parse(`version: 1\ncode: main\nname: Main\nitems: [${filled}]\n`)
    assert.equal(file.problems, [], label)
    assert.ok(onlyItem(file))
  }
})

test.run()
