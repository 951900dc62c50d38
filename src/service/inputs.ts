import { toNearest } from '../document/did-you-mean.js'
import { toMeant } from '../model/problem.js'
import { isLog } from './log.js'

/** What a value of an input may be; `any` is checked where it is read. */
export type InputKind = 'boolean' | 'string' | 'object' | 'log' | 'any'

const NEEDED = {
  boolean: 'true or false',
  string: 'a string',
  object: 'an object',
  log: 'a logger with the methods debug, info, warn and error',
}

/** What is wrong with one input of a function of the library. */
export interface InputFault {
  readonly code: 'unknown-key' | 'wrong-type'
  readonly what: string
  readonly suggestion: string | null
}

/**
 * What is wrong with the object of inputs that a program gives: a name that the function does not have would be ignored,
 * and so would a wrong value. What is undefined was not given; a null is checked where it is read.
 */
export function inputFaults(given: unknown, kinds: Readonly<Record<string, InputKind>>): InputFault[] {
  const names = Object.keys(kinds)
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    const what = `The options must be an object with ${names.join(', ')}.`
    return [{ code: 'wrong-type', what, suggestion: null }]
  }
  return Object.keys(given).flatMap((name): InputFault[] => {
    if (!Object.hasOwn(kinds, name)) {
      const what = `${JSON.stringify(name)} is not an option; the options are ${names.join(', ')}.`
      const isGiven = Reflect.get(given, name) !== undefined
      return isGiven ? [{ code: 'unknown-key', what, suggestion: toNearest(name, names) }] : []
    }
    const kind = kinds[name] ?? 'any'
    const value: unknown = Reflect.get(given, name) ?? null
    if (kind === 'any' || value === null || (kind === 'log' ? isLog(value) : typeof value === kind)) return []
    return [{ code: 'wrong-type', what: `${name} must be ${NEEDED[kind]}.`, suggestion: null }]
  })
}

/** Throws TypeError for the first input that is wrong. */
export function checkInputs(name: string, given: unknown, kinds: Readonly<Record<string, InputKind>>): void {
  const [wrong] = inputFaults(given, kinds)
  if (wrong !== undefined) throw new TypeError(`${name}: ${wrong.what}${toMeant(wrong)}`)
}
