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
  /** The expression as it is, in JavaScript. */
  readonly expression: string
  /** The whole source with the fault, in JavaScript. */
  readonly planted: string
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

/** Each small fault that can be planted in a TypeScript source: a turned operator, a negated condition, a turned boolean. None is there twice. */
export function faultSites(source: string): readonly FaultSite[] {
  const { code, map } = transformSync(source, {
    loader: 'ts',
    sourcemap: true,
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  })
  const lineOf = lineFinder(code, map)
  const sites: FaultSite[] = []
  const textOf = ({ start, end }: Node): string => code.slice(start, end)
  const plant = (node: Node, turned: string, after: string): void => {
    const planted = code.slice(0, node.start) + after + code.slice(node.end)
    sites.push({ line: lineOf(node.start), turned, expression: textOf(node), planted })
  }
  const negate = (condition: Expression): void => {
    // Turning `===` or `!==` is the same fault.
    const isTurned = isKind(condition, 'BinaryExpression') && /^[!=]==$/.test(condition.operator)
    if (!isTurned) plant(condition, 'negated', `!(${textOf(condition)})`)
  }
  full(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }), (node) => {
    if (isKind(node, 'BinaryExpression') || isKind(node, 'LogicalExpression')) {
      const { left, operator, right } = node
      const turned = TURNED[operator]
      // In brackets, because `??` is not allowed beside `&&` without them.
      if (turned !== undefined)
        plant(node, `${operator} to ${turned}`, `((${textOf(left)}) ${turned} (${textOf(right)}))`)
    } else if (isKind(node, 'IfStatement') || isKind(node, 'ConditionalExpression')) negate(node.test)
    else if (isKind(node, 'WhileStatement')) negate(node.test)
    else if (isKind(node, 'Literal') && typeof node.value === 'boolean')
      plant(node, `${node.value} to ${!node.value}`, String(!node.value))
  })
  return sites
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
