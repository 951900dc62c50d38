import { isScalar } from '../model/context.js'
import { isMap } from '../model/json.js'
import { repeatedKeyAt } from '../model/json-text.js'
import type { Limits } from '../model/limits.js'
import type { Context } from '../model/menu.js'
import { parseTime } from '../model/window.js'
import { refuse } from '../review/refusal.js'
import { readContexts as toContexts } from '../service/context-sets.js'
import { toReason } from '../service/log.js'

/** The context that `--context` gives as JSON, `{}` for none. */
export function readContext(text: string): Context {
  const example = `; write it like --context '{"partnerId": 3}'`
  const value = readJson('--context', text, {}, example) ?? {}
  const values = isMap(value) ? Object.values(value) : []
  if (values.some((each) => typeof each === 'number' && !isScalar(each))) {
    const what = '--context has a number beyond ±(2^53−1), which is not exact: quote it as a string'
    refuse('usage', what)
  }
  if (isMap(value) && values.every(isScalar)) return value as Context
  const what = '--context must be a flat object of strings, numbers and booleans'
  return refuse('usage', `${what}${example}`)
}

/** The contexts of `--context-sets`, `{}` for none. */
export function readContexts(text: string, limits: Limits): readonly Context[] {
  const example = ` Write it like --context-sets '[{"partnerId": 3}, null]'`
  const given = readJson('--context-sets', text, [], `.${example}`)
  const { value, fault } = toContexts(given, limits)
  return value ?? refuse('usage', `--context-sets${fault.pointer}: ${fault.detail}${example}`)
}

/** The route parameters of `--params`. */
export function readParams(text: string): Readonly<Record<string, unknown>> {
  const example = `. Write it like --params '{"id": 3}'`
  const value = readJson('--params', text, {}, example)
  return isMap(value) ? value : refuse('usage', `--params must be an object${example}`)
}

/** The time of `--now` in milliseconds since 1970. */
export function readTime(text: string): number {
  const example = 'Write it like --now 2026-12-01T00:00:00+01:00'
  return parseTime(text) ?? refuse('usage', `--now must be a date and time with an offset. ${example}`)
}

/** The JSON of a flag; without a text, `none`. `example` ends the message about one that cannot be read. */
function readJson(flag: string, text: string, none: unknown, example: string): unknown {
  let value = none
  try {
    if (text !== '') value = JSON.parse(text)
  } catch (thrown) {
    refuse('usage', `${flag} is not JSON (${toReason(thrown)})${example}`)
  }
  const repeated = repeatedKeyAt(text)
  if (repeated === null) return value
  return refuse('usage', `${flag} has a key twice in one object, at character ${repeated + 1}${example}`)
}
