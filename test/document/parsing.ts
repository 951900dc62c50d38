import { createHash } from 'node:crypto'
import type { ParsedFile, ParseOptions } from '../../src/document/parse.js'
import { parseMenuFile } from '../../src/document/parse.js'
import type { Vocabulary } from '../../src/document/rules/vocabulary.js'
import type { Limits } from '../../src/model/limits.js'
import type { Menu, MenuItem } from '../../src/model/menu.js'
import type { Problem } from '../../src/model/problem.js'
import type { Route, RouteOption, Routes } from '../../src/model/route.js'
import { parseRoute } from '../../src/service/routes.js'
import { DEFAULT_LIMITS } from '../support/limits.js'

/** What a test changes of the options that files are parsed with. */
export interface Deviation extends Partial<Vocabulary> {
  readonly limits?: Partial<Limits>
}

const VOCABULARY: Vocabulary = {
  locales: ['en'],
  routes: null,
  pathsAreMade: true,
  now: null,
  iconLibraries: null,
  permissions: null,
  off: new Set(),
}

/** The options of a deployment that speaks English and judges neither routes nor icons. */
export function toOptions({ limits, ...vocabulary }: Deviation = {}): ParseOptions {
  return {
    limits: { ...DEFAULT_LIMITS, ...limits },
    vocabulary: { ...VOCABULARY, ...vocabulary },
    hash,
  }
}

/** Routes by name, from patterns that can be filled. */
export function routesOf(patterns: Readonly<Record<string, RouteOption>>): Routes {
  const routes = new Map<string, Route>()
  for (const [name, option] of Object.entries(patterns)) {
    const { pattern, params = {} } = typeof option === 'string' ? { pattern: option } : option
    const route = parseRoute(pattern)
    if (route === null) throw new Error(`${pattern} is no pattern`)
    const values = Object.entries(params).map(
      ([key, known]) => [key, (known.values ?? []).map(String)] as const,
    )
    routes.set(name, { ...route, values: new Map(values) })
  }
  return routes
}

export function hash(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex')
}

/** Parses a text, whose common indent and first line break do not count, as `menu.yaml`. */
export function parse(text: string | Uint8Array, deviation: Deviation = {}): ParsedFile {
  const bytes = typeof text === 'string' ? Buffer.from(deindent(text)) : text
  return parseMenuFile('menu.yaml', bytes, toOptions(deviation))
}

/** Parses a menu that has nothing but the given lines below `items:` (or after it). */
export function parseItems(lines: string, deviation: Deviation = {}): ParsedFile {
  const indented = deindent(lines).replace(/(^|\n)(?=[^\n])/g, '$1  ')
  return parse(`version: 1\ncode: main\nname: Main menu\nitems:\n${indented}`, deviation)
}

/** The menu of a file that has to have one. */
export function menuOf(file: ParsedFile): Menu {
  if (file.menu === null) throw new Error(`no menu: ${toLines(file.problems).join(', ')}`)
  return file.menu
}

/** The only item of a menu that has to have exactly one, with whatever keys its type has. */
export function onlyItem(file: ParsedFile): MenuItem & Readonly<Record<string, unknown>> {
  const [item, ...more] = menuOf(file).items
  if (item === undefined || more.length > 0) throw new Error('not exactly one item')
  return { ...item }
}

/** The problems in short: `line:column severity code`. */
export function toLines(problems: readonly Problem[]): string[] {
  return problems.map(({ line, column, severity, code }) => `${line}:${column} ${severity} ${code}`)
}

/** The only problem of a file that has to have exactly one. */
export function onlyProblem(file: ParsedFile): Problem {
  const [problem, ...more] = file.problems
  if (problem === undefined || more.length > 0) {
    throw new Error(`not exactly one problem: ${toLines(file.problems).join(', ')}`)
  }
  return problem
}

/** What a problem marks in the text, by its columns. */
export function marked(text: string, { line, column, endColumn }: Problem): string {
  const lines = text.split(/\r\n|\n/)
  return (lines[line - 1] ?? '').slice(column - 1, endColumn - 1)
}

export function deindent(text: string): string {
  const lines = text.replace(/^\n/, '').split('\n')
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/))
  const indent = Math.min(...indents)
  return Number.isFinite(indent) ? lines.map((line) => line.slice(indent)).join('\n') : text
}
