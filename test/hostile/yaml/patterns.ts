import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isIdentifier, isNewExpression, isRegularExpressionLiteral, type Node } from 'typescript/unstable/ast'
import { API } from 'typescript/unstable/sync'

/** A regular expression of ours, and where it stands. */
export interface Pattern {
  /** Such as `model/url.ts`, or `menu.schema.json#/definitions/id`. */
  readonly place: string
  readonly source: string
  readonly flags: string
}

/** A text of a schema that has to have a form. */
export interface FormedText {
  readonly place: string
  readonly maxLength: unknown
}

const TOP = fileURLToPath(new URL('../../../', import.meta.url))
/** What runs in a browser has types of its own. */
const PROJECTS = ['tsconfig.json', 'src/dashboard/browser/tsconfig.json', 'src/render/browser/tsconfig.json']

/** Every regular expression that is written in the sources, and every place where one is made while they run. */
export function sourcePatterns(): {
  readonly literals: readonly Pattern[]
  readonly made: readonly string[]
} {
  const literals: Pattern[] = []
  const made: string[] = []
  const compiler = new API({ cwd: TOP })
  try {
    const openProjects = PROJECTS.map((path) => join(TOP, path))
    const projects = compiler.updateSnapshot({ openProjects }).getProjects()
    for (const path of sourceFiles()) {
      const place = path
        .slice(join(TOP, 'src').length + 1)
        .split(sep)
        .join('/')
      const visit = (node: Node): void => {
        if (isRegularExpressionLiteral(node)) literals.push({ place, ...toPattern(node.text) })
        if (isNewExpression(node) && isIdentifier(node.expression) && node.expression.text === 'RegExp')
          made.push(place)
        node.forEachChild(visit)
      }
      const file = projects
        .map(({ program }) => program.getSourceFile(path))
        .find((each) => each !== undefined)
      if (file === undefined) throw new Error(`${place} is not in the project`)
      visit(file)
    }
  } finally {
    compiler.close()
  }
  return { literals, made }
}

function sourceFiles(): string[] {
  const folder = join(TOP, 'src')
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|tsx|js)$/.test(name))
    .sort()
    .map((name) => join(folder, name))
}

function toPattern(literal: string): { readonly source: string; readonly flags: string } {
  const end = literal.lastIndexOf('/')
  return { source: literal.slice(1, end), flags: literal.slice(end + 1) }
}

/** Every regular expression of the schemas, and every text of them that has one. */
export function schemaPatterns(): {
  readonly patterns: readonly Pattern[]
  readonly texts: readonly FormedText[]
} {
  const patterns: Pattern[] = []
  const texts: FormedText[] = []
  const visit = (value: unknown, place: string): void => {
    if (typeof value !== 'object' || value === null) return
    const { pattern, patternProperties, maxLength } = value as Readonly<Record<string, unknown>>
    if (typeof pattern === 'string') {
      patterns.push({ place, source: pattern, flags: 'u' })
      texts.push({ place, maxLength })
    }
    if (typeof patternProperties === 'object' && patternProperties !== null) {
      patterns.push(...Object.keys(patternProperties).map((source) => ({ place, source, flags: 'u' })))
    }
    for (const [key, member] of Object.entries(value)) visit(member, `${place}/${key}`)
  }
  for (const name of readdirSync(join(TOP, 'schemas')).filter((each) => each.endsWith('.json'))) {
    visit(JSON.parse(readFileSync(join(TOP, 'schemas', name), 'utf8')), `${name}#`)
  }
  return { patterns, texts }
}
