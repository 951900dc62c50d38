import { isMap, isScalar, isSeq, type Node, type Pair, type Scalar } from 'yaml'
import { isExactNumber } from '../../model/context.js'
import type { Steps } from '../../model/pointer.js'
import { type Issue, quote } from '../issue.js'
import type { Source } from '../source.js'

/** The maps whose numbers reach visitors, or are compared, as they are read. */
const MAPS_OF_NUMBERS: readonly (string | number)[] = ['routeParams', 'attributes']

/** The keys below which any text is valid; others have a problem when they do not accept the rest. */
const FREE_TEXTS: ReadonlySet<string | number> = new Set([
  ...MAPS_OF_NUMBERS,
  ...['name', 'label', 'url', 'icon', 'context', 'permissions'],
])

/** A request with such a number in its JSON means the same one. */
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/**
 * Finds values that are not read as they look: `007` as 7, and `Issue #42` as `Issue`. `comments` are the offsets of the
 * comments of the text.
 */
export function* writtenIssues(root: Node, { text }: Source, comments: readonly number[]): Generator<Issue> {
  const tight = new Set(comments.filter((start) => /[^\s#!]/.test(text.charAt(start + 1))))
  for (const { scalar, pointer } of everyScalar(root, [])) {
    const { value, source = '', type, range } = scalar
    if (type !== 'PLAIN' || range == null) continue
    if (typeof value === 'number') {
      const read = String(value)
      const isMeant = source === read || (pointer[0] === 'context' && JSON_NUMBER.test(source))
      if (isMeant || !isOfNumbers(pointer) || !isExactNumber(value)) continue
      const what = `${quote(source)} is read as the number ${read}.`
      const todo = `Quote it if it is a text: "${source}"; else write ${read}.`
      yield { code: 'number-form', pointer, what, todo }
    } else if (tight.size > 0 && isFreeText(pointer) && (typeof value === 'string' || source === '')) {
      let start = range[1]
      while (text[start] === ' ' || text[start] === '\t') start++
      const [comment] = text.slice(start, start + 100).split(/[\r\n]/, 1)
      const what = `${quote(comment)} is a comment, and no part of the text.`
      if (tight.has(start)) yield { code: 'comment-in-text', pointer, what }
    }
  }
}

function isFreeText(pointer: Steps): boolean {
  return pointer.some((step) => FREE_TEXTS.has(step))
}

function isOfNumbers([first, ...rest]: Steps): boolean {
  return first === 'context' || rest.some((step) => MAPS_OF_NUMBERS.includes(step))
}

/** Every value that is not a map or a list, except below keys that begin with `x-`, which are not checked. */
function* everyScalar(
  node: Node | null,
  pointer: Steps,
): Generator<{ readonly scalar: Scalar; readonly pointer: Steps }> {
  if (isScalar(node)) yield { scalar: node, pointer }
  if (isSeq(node)) {
    for (const [place, child] of node.items.entries()) yield* everyScalar(child as Node, [...pointer, place])
  }
  if (!isMap(node)) return
  const isOurs = !isOfNumbers(pointer)
  const seen = new Set<unknown>()
  for (const { key, value } of node.items as Pair<Node, Node | null>[]) {
    const name = isScalar(key) ? key.value : null
    // Where a key appears twice, places are those of the first.
    if (typeof name !== 'string' || seen.has(name) || (isOurs && name.startsWith('x-'))) continue
    seen.add(name)
    yield* everyScalar(value, [...pointer, name])
  }
}
