import { SourceMap } from 'node:module'
import { type Expression, type Node, parse } from 'acorn'
import { full } from 'acorn-walk'
import { transformSync } from 'esbuild'

/** A place of a source where a small fault can be planted. */
export interface FaultSite {
  /** The line of the source, from 1. */
  readonly line: number
  /** What the fault does to the expression: `&& to ||`, `negated` or `true to false`. */
  readonly turned: string
  /** The expression as it is, in JavaScript, and where it starts. */
  readonly before: string
  readonly start: number
  readonly after: string
}

/** A source in JavaScript, with each small fault that can be planted in it. */
export interface FaultSites {
  readonly code: string
  readonly sites: readonly FaultSite[]
}

const TURNED: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '&&': '||',
  '||': '&&',
  '??': '&&',
}

/** The JavaScript of a TypeScript source, and its faults: turned operators, negated conditions, turned booleans, each once. */
export function faultSites(source: string): FaultSites {
  const { code, map } = transformSync(source, {
    loader: 'ts',
    sourcemap: true,
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  })
  const lineOf = lineFinder(code, map)
  const sites: FaultSite[] = []
  const textOf = ({ start, end }: Node): string => code.slice(start, end)
  const enter = (node: Node, turned: string, after: string): void => {
    sites.push({ line: lineOf(node.start), turned, before: textOf(node), start: node.start, after })
  }
  const negate = (condition: Expression): void => {
    // Turning `===` or `!==` is the same fault.
    const isTurned = isKind(condition, 'BinaryExpression') && /^[!=]==$/.test(condition.operator)
    if (!isTurned) enter(condition, 'negated', `!(${textOf(condition)})`)
  }
  full(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }), (node) => {
    if (isKind(node, 'BinaryExpression') || isKind(node, 'LogicalExpression')) {
      const { left, operator, right } = node
      const turned = TURNED[operator]
      // In brackets, because `??` is not allowed beside `&&` without them.
      if (turned !== undefined)
        enter(node, `${operator} to ${turned}`, `((${textOf(left)}) ${turned} (${textOf(right)}))`)
    } else if (isKind(node, 'IfStatement') || isKind(node, 'ConditionalExpression')) negate(node.test)
    else if (isKind(node, 'WhileStatement') || isKind(node, 'DoWhileStatement')) negate(node.test)
    else if (isKind(node, 'Literal') && typeof node.value === 'boolean')
      enter(node, `${node.value} to ${!node.value}`, String(!node.value))
  })
  return { code, sites }
}

/**
 * A source with several faults, of which the variable `PLANTED_FAULT` chooses one by its number when a program starts.
 *
 * @param faults by their numbers
 */
export function withFaults(code: string, faults: ReadonlyMap<number, FaultSite>): string {
  const [opening, closing] = [new Map<number, string>(), new Map<number, string>()]
  // Of expressions that start at one place, the longest is outermost.
  const outermostFirst = [...faults].sort(([, a], [, b]) => b.before.length - a.before.length)
  for (const [number, { start, before, after }] of outermostFirst) {
    const end = start + before.length
    opening.set(start, `${opening.get(start) ?? ''}(plantedFault === ${number} ? ${after} : (`)
    closing.set(end, `${closing.get(end) ?? ''}))`)
  }
  const places = [...new Set([0, ...opening.keys(), ...closing.keys()])].sort((a, b) => a - b)
  const pieces = places.map(
    (at, index) => (closing.get(at) ?? '') + (opening.get(at) ?? '') + code.slice(at, places[index + 1]),
  )
  return `const plantedFault = Number(process.env.PLANTED_FAULT);\n${pieces.join('')}`
}

type Kinds = import('acorn').AnyNode
function isKind<K extends Kinds['type']>(node: Node, kind: K): node is Extract<Kinds, { type: K }> {
  return node.type === kind
}

/** Finds the line of the source, from 1, for a place of its JavaScript. */
function lineFinder(code: string, map: string): (place: number) => number {
  const toSource = new SourceMap(JSON.parse(map))
  return (place) => {
    const above = code.slice(0, place).split('\n')
    const entry = toSource.findEntry(above.length - 1, above.at(-1)?.length ?? 0)
    return 'originalLine' in entry ? entry.originalLine + 1 : 0
  }
}
