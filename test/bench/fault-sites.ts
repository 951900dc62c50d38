import { type Expression, type Node, parse } from 'acorn'
import { full } from 'acorn-walk'
import { transformSync } from 'esbuild'

/** A place of a source where a small fault can be planted. */
export interface FaultSite {
  /** The expression as it is, in JavaScript. */
  readonly before: string
  readonly after: string
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

/** The JavaScript of a TypeScript source, and each small fault that can be planted in it: a turned operator, a negated condition, a turned boolean. */
export function faultSites(source: string): readonly FaultSite[] {
  const { code } = transformSync(source, {
    loader: 'ts',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  })
  const sites: FaultSite[] = []
  const plant = ({ start, end }: Node, after: string): void => {
    const planted = code.slice(0, start) + after + code.slice(end)
    sites.push({ before: code.slice(start, end), after, planted })
  }
  const textOf = ({ start, end }: Node): string => code.slice(start, end)
  const negate = (condition: Expression): void => plant(condition, `!(${textOf(condition)})`)
  full(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }), (node) => {
    if (isKind(node, 'BinaryExpression') || isKind(node, 'LogicalExpression')) {
      const turned = TURNED[node.operator]
      // In brackets, since `??` does not stand beside `&&` without them.
      if (turned !== undefined) plant(node, `((${textOf(node.left)}) ${turned} (${textOf(node.right)}))`)
    } else if (isKind(node, 'IfStatement') || isKind(node, 'ConditionalExpression')) negate(node.test)
    else if (isKind(node, 'WhileStatement')) negate(node.test)
    else if (isKind(node, 'Literal') && typeof node.value === 'boolean') plant(node, String(!node.value))
  })
  return sites
}

type Kinds = import('acorn').AnyNode
function isKind<K extends Kinds['type']>(node: Node, kind: K): node is Extract<Kinds, { type: K }> {
  return node.type === kind
}
