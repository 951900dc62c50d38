import { isExactNumber } from '../../model/context.js'
import type { Steps } from '../../model/pointer.js'
import { type Issue, quote } from '../issue.js'
import type { ScalarNode, YamlNode } from '../node.js'
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
export function* writtenIssues(
  root: YamlNode,
  { text }: Source,
  comments: readonly number[],
): Generator<Issue> {
  const tight = new Set(comments.filter((start) => /[^\s#!]/.test(text.charAt(start + 1))))
  // Nearly no file has any, and the way to each value is long.
  if (tight.size === 0 && !hasOddNumber(root, text)) return
  for (const { scalar, pointer } of everyScalar(root, [])) {
    const { value, style, start, end } = scalar
    const written = text.slice(start, end)
    if (style !== 'plain') continue
    if (typeof value === 'number') {
      const read = String(value)
      const isMeant = written === read || (pointer[0] === 'context' && JSON_NUMBER.test(written))
      if (isMeant || !isOfNumbers(pointer) || !isExactNumber(value)) continue
      const what = `${quote(written)} is read as the number ${read}.`
      const todo = `Quote it if it is a string: "${written}"; else write ${read}.`
      yield { code: 'number-form', pointer, what, todo }
    } else if (isFreeText(pointer) && (typeof value === 'string' || written === '')) {
      let at = end
      while (text[at] === ' ' || text[at] === '\t') at++
      if (!tight.has(at)) continue
      const [comment] = text.slice(at, at + 100).split(/[\r\n]/, 1)
      const what = `${quote(comment)} is a comment, not part of the text.`
      yield { code: 'comment-in-text', pointer, what }
    }
  }
}

/** Whether a number is not written as it is read. */
function hasOddNumber(node: YamlNode | null, text: string): boolean {
  if (node === null) return false
  if (node.kind !== 'scalar') return node.members.some((member) => hasOddNumber(member.node, text))
  return typeof node.value === 'number' && text.slice(node.start, node.end) !== String(node.value)
}

function isFreeText(pointer: Steps): boolean {
  return pointer.some((step) => FREE_TEXTS.has(step))
}

function isOfNumbers([first, ...rest]: Steps): boolean {
  return first === 'context' || rest.some((step) => MAPS_OF_NUMBERS.includes(step))
}

/** Every value that is not a map or a list, except below keys that begin with `x-`, which are not checked. */
function* everyScalar(
  node: YamlNode,
  pointer: Steps,
): Generator<{ readonly scalar: ScalarNode; readonly pointer: Steps }> {
  if (node.kind === 'scalar') {
    yield { scalar: node, pointer }
    return
  }
  const isOurs = !isOfNumbers(pointer)
  for (const [place, { key, node: child }] of node.members.entries()) {
    if (child === null || (isOurs && key?.startsWith('x-'))) continue
    yield* everyScalar(child, [...pointer, key ?? place])
  }
}
