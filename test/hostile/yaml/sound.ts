import { isDeepStrictEqual } from 'node:util'
import { parseDocument } from 'yaml'
import { type ParsedFile, parseMenuFile } from '../../../src/document/parse.js'
import { readYamlMap } from '../../../src/document/read/read-yaml.js'
import { type Limits, toYamlLimits } from '../../../src/model/limits.js'
import { labelChain } from '../../../src/model/locale.js'
import type { Menu } from '../../../src/model/menu.js'
import { isError } from '../../../src/model/problem.js'
import { buildTree } from '../../../src/model/tree.js'
import { toPageTree } from '../../../src/render/current.js'
import { STYLES, toMenuConfig } from '../../../src/render/display.js'
import { toMenuHtml } from '../../../src/render/html.js'
import { toOptions } from '../../document/parsing.js'
import { outlineOf } from '../../nunjucks/outline.js'
import { DEFAULT_LIMITS } from '../../support/limits.js'

/** A file that was parsed, and what is wrong with how: nothing, in words, or what was thrown. */
export interface Judged {
  readonly file: ParsedFile | null
  readonly fault: string | null
}

/**
 * Parses bytes and holds the outcome against what is promised of every file: nothing is thrown, there is a menu exactly
 * when there is no error, each problem has a place in the text, and what is served is what YAML says and harmless.
 */
export function judge(bytes: Uint8Array, limits: Limits = DEFAULT_LIMITS): Judged {
  let file: ParsedFile | null = null
  try {
    file = parseMenuFile('menu.yaml', bytes, toOptions({ limits }))
    const fault = faultOf(file, bytes) ?? (file.menu === null ? null : faultOfMenu(file.menu, bytes, limits))
    return { file, fault }
  } catch (error) {
    const thrown = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { file, fault: `thrown: ${thrown.slice(0, 1_000)}` }
  }
}

function faultOf({ menu, problems, omitted, omittedErrors }: ParsedFile, bytes: Uint8Array): string | null {
  const errors = problems.filter(isError).length
  if ((menu === null) !== errors > 0) return `${menu === null ? 'no' : 'a'} menu with ${errors} errors`
  if (problems.length > 50 || omittedErrors > omitted) return `${problems.length} problems`
  if (omitted > 0 && problems.length < 50) return `${omitted} problems are not told, and there is room`
  const lines = Buffer.from(bytes)
    .toString('utf8')
    .split(/\r\n|\n|\r/)
  for (const { code, line, column, endColumn, what, todo } of problems) {
    // A byte order mark, which counts as nothing, is the only thing that a line may have more than its text.
    const isPlace = line >= 1 && line <= lines.length && column >= 1 && endColumn >= column
    const width = (lines[line - 1] ?? '').length
    if (!isPlace || (endColumn > width + 1 && column > 1)) return `${code} at ${line}:${column}-${endColumn}`
    if (what === '' || todo === '') return `${code} says nothing`
  }
  return null
}

function faultOfMenu(menu: Menu, bytes: Uint8Array, limits: Limits): string | null {
  const text = new TextDecoder().decode(bytes)
  const document = parseDocument(text, { uniqueKeys: false, logLevel: 'silent' })
  const told = [...document.errors, ...document.warnings]
  if (told.length > 0) return `YAML itself has to say: ${told[0]?.message}`
  const { value } = readYamlMap('menu.yaml', bytes, toYamlLimits(limits))
  if (!isDeepStrictEqual(plain(value), plain(document.toJS()))) return 'YAML itself reads another value'
  const chain = labelChain('en', { locales: ['en'], defaultLocale: 'en' })
  const tree = buildTree(menu.items, {
    chain,
    prefixes: new Map(),
    extraMembers: ['id', 'attributes'],
    canSee: () => true,
    now: null,
    toPath: () => null,
  })
  if (!isDeepStrictEqual(JSON.parse(JSON.stringify(tree)), plain(tree))) return 'JSON changes the tree'
  const page = toPageTree(tree, { hosts: [], path: '/', query: '' })
  const config = toMenuConfig(menu.code, { menu, version: '' }, new Map(), ['en'])
  for (const style of STYLES) outlineOf(toMenuHtml(page, { config, label: null, style }))
  return null
}

/** A copy whose maps are ordinary objects; `-0` is the `0` that JSON makes of it. */
function plain(value: unknown): unknown {
  if (value === 0) return 0
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]))
}
