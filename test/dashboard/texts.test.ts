import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { LANGUAGES } from '../../src/dashboard/texts/language.js'
import { ROOT } from '../readme/readme.js'

type Text = string | ((...values: readonly number[]) => string)

/** Every text of a language with its path, such as `editor`, `does`, `up`. */
function textsIn(
  value: object,
  above: readonly string[] = [],
): readonly (readonly [path: readonly string[], text: Text])[] {
  return Object.entries(value).flatMap(([key, each]) => {
    const path = [...above, key]
    return typeof each === 'object' ? textsIn(each, path) : [[path, each as Text] as const]
  })
}

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

test('Every text that is given a value shows it', () => {
  for (const language of LANGUAGES)
    for (const [path, text] of textsIn(language))
      if (typeof text === 'function') assert.match(text(7, 7), /^[^$]*7[^$]*$/, path.join('.'))
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

test('A sentence speaks of the same values in every language', () => {
  const [first, ...others] = LANGUAGES
  const valuesIn = (text: Text): string => String([...new Set(String(text).match(/\{\w+\}/g))].sort())
  for (const language of others) {
    const texts = new Map(textsIn(language).map(([path, text]) => [path.join('.'), text]))
    for (const [path, text] of textsIn(first)) {
      const name = path.join('.')
      if (typeof text === 'string') assert.is(valuesIn(texts.get(name) ?? ''), valuesIn(text), name)
    }
  }
})

test.run()
