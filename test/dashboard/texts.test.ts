import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { FIELD_WORDS } from '../../src/change/compare/field-words.js'
import * as all from '../../src/dashboard/texts/all.js'
import { LANGUAGES } from '../../src/dashboard/texts/language.js'
import { ROOT } from '../readme/readme.js'

const TEXTS = join(ROOT, 'src/dashboard/texts')

/** Every text of a language with its path, such as `editor`, `does`, `up`. */
function textsIn(
  value: object,
  above: readonly string[] = [],
): readonly (readonly [path: readonly string[], text: string])[] {
  return Object.entries(value).flatMap(([key, each]) => {
    const path = [...above, key]
    if (typeof each === 'object') return textsIn(each, path)
    return typeof each === 'string' ? [[path, each] as const] : []
  })
}

/** The names in braces of a text, such as `{count}`. */
const valuesIn = (text: string): string => String([...new Set(text.match(/\{\w+\}/g))].sort())

/** Tables that rooms below take as a whole; their types say what is in them. */
const TABLES = ['actions', 'browser', 'changes']

function readSources(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files
    .filter((file) => /\.(?:ts|njk)$/.test(file) && !file.includes('texts/'))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n')
}

/** All that says something on a page, and all that may name what is said. */
const SOURCES = ['pages', 'forms', 'browser']
  .map((room) => readSources(join(ROOT, 'src/dashboard', room)))
  .join('\n')
const EVERYTHING = readSources(join(ROOT, 'src'))

/** Whether a text or a group of it is named, or its group is looked into by a name that some source has. */
function isUsed(path: readonly string[]): boolean {
  const isNamed = path.some((key, place) =>
    new RegExp(`\\b${path[place - 1] ?? 't'}\\.${key}(?![\\w.[])`).test(SOURCES),
  )
  const [group, key] = path.slice(-2)
  return isNamed || (SOURCES.includes(`${group}[`) && new RegExp(`\\b${key}\\b`).test(EVERYTHING))
}

test('Every value that a text shows is given, and every one that is given is shown', () => {
  const [first] = LANGUAGES
  const calls = [...SOURCES.matchAll(/\bfill\(\s*(?:t\.)?([\w.]+), \{ ([^{}]*) \}\)/g)]
  const texts = new Map(textsIn(first).map(([path, text]) => [path.join('.'), text]))
  const filled = calls.flatMap(([, name = '', values = '']) => {
    const text = texts.get(name) ?? texts.get(`${name}.other`)
    const names = values.replaceAll(/\((?:[^()]|\([^()]*\))*\)/g, '').split(', ')
    if (text === undefined) return []
    // The number that a form of a plural is chosen by need not be shown.
    const isChoice = (given: string): boolean =>
      given === '{count}' && !texts.has(name) && !text.includes(given)
    const given = names.map((each) => `{${each.split(':')[0]}}`)
    return [[name, text, given.filter((each) => !isChoice(each))] as const]
  })
  assert.ok(filled.length > 50)
  for (const [name, text, names] of filled) assert.is(String([...names].sort()), valuesIn(text), name)
})

test('Every text is said somewhere', () => {
  const [first] = LANGUAGES
  const unused = textsIn(first).filter(([path]) => !TABLES.includes(path[0] ?? '') && !isUsed(path))
  assert.equal(
    unused.map(([path]) => path.join('.')),
    [],
  )
})

test('Every text that a template asks for is there, in every language', () => {
  const asked = new Set(
    [...SOURCES.matchAll(/\{[{%][^}]*/g)].flatMap(([tag]) => tag.match(/\bt(?:\.\w+)+/g) ?? []),
  )
  assert.ok(asked.size > 200)
  for (const language of LANGUAGES)
    for (const name of asked) {
      const path = name.split('.').slice(1)
      const found = path.reduce<unknown>((group, key) => (group as Record<string, unknown>)?.[key], language)
      assert.ok(found !== undefined, `${language.lang}: ${name}`)
    }
})

/** The languages as their files have them: without what English lends to one that lacks it. */
const FILES = readdirSync(TEXTS)
  .filter((file) => file.endsWith('.json'))
  .map((file) => [file, JSON.parse(readFileSync(join(TEXTS, file), 'utf8')) as typeof all.en] as const)

test('Every file of texts is a language of the dashboard', () => {
  const names = FILES.map(([file, { lang }]) => [file, lang])
  assert.equal(names, LANGUAGES.map(({ lang }) => [`${lang}.json`, lang]).sort())
})

test('Every language has the same texts, which show the same values, and no English one', () => {
  const english = { ...all.en, changes: { ...FIELD_WORDS, ...all.en.changes } }
  const englishTexts = new Map(textsIn(english).map(([path, text]) => [path.join('.'), text]))
  // How many plural forms there are is a matter of the language, and so is which fields have names of their own.
  const isForm = (name: string): boolean => /\.(zero|one|two|few|many)$/.test(name)
  const formOf = (language: object): readonly string[] =>
    textsIn(language)
      .map(([path, text]) => [path.join('.'), valuesIn(text)] as const)
      .filter(([name]) => !isForm(name) && !name.startsWith('changes.names.'))
      .map((each) => each.join(' '))
      .sort()
  for (const [file, language] of FILES.filter(([, { lang }]) => lang !== 'en')) {
    assert.equal(formOf(language), formOf(english), file)
    for (const [path, text] of textsIn(language)) {
      const name = path.join('.')
      const [other = ''] = [englishTexts.get(name.replace(/\.\w+$/, '.other'))]
      if (isForm(name)) for (const value of text.match(/\{\w+\}/g) ?? []) assert.match(other, value, name)
      const isEnglish = /[a-z]{3,} [a-z]{3,}/.test(text) && text === englishTexts.get(name)
      assert.not(isEnglish, `${file}: ${name}`)
    }
  }
})

test('Arabic names a number as its grammar does', () => {
  const arabic = LANGUAGES.find(({ lang }) => lang === 'ar') ?? LANGUAGES[0]
  const counts = [0, 1, 2, 3, 11, 100]
  assert.equal(
    counts.map((count) => arabic.fill(arabic.menus.items, { count })),
    ['لا توجد عناصر', 'عنصر واحد', 'عنصران', '3 عناصر', '11 عنصرًا', '100 عنصر'],
  )
})

test.run()
