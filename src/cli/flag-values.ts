import { isScalar } from '../model/context.js'
import { isMap } from '../model/json.js'
import { repeatedKeyAt } from '../model/json-text.js'
import type { Limits } from '../model/limits.js'
import type { Context } from '../model/menu.js'
import { done, failed, type Result } from '../model/result.js'
import { type Answer, refuse } from '../review/answer.js'
import { readContexts as toContexts } from '../service/context-sets.js'
import { toReason } from '../service/log.js'

/** The context that `--context` gives as JSON, `{}` for none. */
export function readContext(text: string): Answer<Context> {
  const example = `write it like --context '{"partnerId": 3}'`
  const { value: written, fault } = readJson('--context', text, {})
  if (fault !== null) return refuse('bad-request', `${fault}; ${example}`)
  const value = written ?? {}
  const values = isMap(value) ? Object.values(value) : []
  if (values.some((each) => typeof each === 'number' && !isScalar(each))) {
    const what = '--context has a number beyond ±(2^53−1), which is not exact: quote it as a string'
    return refuse('bad-request', what)
  }
  if (isMap(value) && values.every(isScalar)) return done(value as Context)
  const what = '--context must be a flat object of strings, numbers and booleans'
  return refuse('bad-request', `${what}; ${example}`)
}

/** The contexts of `--context-sets`, `{}` for none. */
export function readContexts(text: string, limits: Limits): Answer<readonly Context[]> {
  const example = `Write it like --context-sets '[{"partnerId": 3}, null]'`
  const { value, fault } = readJson('--context-sets', text, [])
  if (fault !== null) return refuse('bad-request', `${fault}. ${example}`)
  const contexts = toContexts(value, limits)
  if (contexts.fault === null) return contexts
  const { pointer, detail } = contexts.fault
  return refuse('bad-request', `--context-sets${pointer}: ${detail} ${example}`)
}

/** The route parameters of `--params`. */
export function readParams(text: string): Answer<Readonly<Record<string, unknown>>> {
  const example = `Write it like --params '{"id": 3}'`
  const { value, fault } = readJson('--params', text, {})
  if (fault !== null) return refuse('bad-request', `${fault}. ${example}`)
  return isMap(value) ? done(value) : refuse('bad-request', `--params must be an object. ${example}`)
}

/** The JSON of a flag; without a text, `none`. */
function readJson(flag: string, text: string, none: unknown): Result<unknown, string> {
  try {
    const value: unknown = text === '' ? none : JSON.parse(text)
    const repeated = repeatedKeyAt(text)
    if (repeated === null) return done(value)
    return failed(`${flag} has a key twice in one object, at character ${repeated + 1}`)
  } catch (thrown) {
    return failed(`${flag} is not JSON (${toReason(thrown)})`)
  }
}
