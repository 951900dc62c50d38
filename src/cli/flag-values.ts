import { isScalar } from '../model/context.js'
import type { Limits } from '../model/limits.js'
import type { Context } from '../model/menu.js'
import { readContextSets } from '../service/context-sets.js'
import { toReason } from '../service/log.js'
import { repeatedKeyAt } from '../service/repeated-key.js'

/** The context that `--context` gives as JSON, `{}` for none; a text says what is wrong with it. */
export function readContext(text: string): Context | string {
  const example = `write it like --context '{"partnerId": 3}'`
  const { value: written, fault } = readJson('--context', text, {})
  if (fault !== null) return `${fault}; ${example}`
  const value = written ?? {}
  const values = isMap(value) ? Object.values(value) : []
  if (values.some((each) => typeof each === 'number' && !isScalar(each))) {
    return '--context has a number beyond ±(2^53−1), which is not exact: quote it as a string'
  }
  return isMap(value) && values.every(isScalar)
    ? (value as Context)
    : `--context must be a flat object of texts, numbers and booleans; ${example}`
}

/** The contexts of `--context-sets`, `{}` for none; a text says what is wrong with them. */
export function readContexts(text: string, limits: Limits): readonly Context[] | string {
  const example = `Write it like --context-sets '[{"partnerId": 3}, null]'`
  const { value, fault } = readJson('--context-sets', text, [])
  if (fault !== null) return `${fault}. ${example}`
  const sets = readContextSets(value, limits)
  if (sets.fault !== null) return `--context-sets${sets.fault.pointer}: ${sets.fault.detail} ${example}`
  const members = Array.isArray(value) ? (value as (Context | null | [])[]) : []
  return members.map((member) => (member === null || Array.isArray(member) ? {} : member))
}

/** The route parameters of `--params`; a text says what is wrong with them. */
export function readParams(text: string): Readonly<Record<string, unknown>> | string {
  const example = `Write it like --params '{"id": 3}'`
  const { value, fault } = readJson('--params', text, {})
  if (fault !== null) return `${fault}. ${example}`
  return isMap(value) ? value : `--params must be an object. ${example}`
}

/** The keys of a flag that separates them by commas. */
export function toKeys(list: string): string[] {
  return list
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '')
}

/** What a flag gives as JSON; without a text, `none`. */
function readJson(
  flag: string,
  text: string,
  none: unknown,
): { readonly value: unknown; readonly fault: string | null } {
  try {
    const value: unknown = text === '' ? none : JSON.parse(text)
    const repeated = repeatedKeyAt(text)
    if (repeated === null) return { value, fault: null }
    return { value: null, fault: `${flag} has a key twice in one object, at character ${repeated + 1}` }
  } catch (thrown) {
    return { value: null, fault: `${flag} is not JSON (${toReason(thrown)})` }
  }
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
