import { isDeepStrictEqual } from 'node:util'
import { isError, type Problem } from '../../../src/model/problem.js'
import { toPaint } from '../../../src/review/ink.js'
import { toProblemText } from '../../../src/review/problem-text.js'
import { parse } from '../../document/parsing.js'
import { FIELDS, type Field, fileWith } from './fields.js'
import { NAUGHTY } from './naughty.js'

/** What a file makes of a text in one of its fields. */
export interface Outcome {
  readonly isTaken: boolean
  /** What is wrong with that; null when the text is taken as it is, or refused with its place. */
  readonly fault: string | null
}

const PAINT = toPaint(false)
const known = new Map<Field, ReadonlyMap<string, Outcome>>()

/** What becomes of each naughty string in a field of a file in JSON: judged once for all that ask. */
export function outcomesOf(field: Field): ReadonlyMap<string, Outcome> {
  const outcomes =
    known.get(field) ??
    new Map(
      NAUGHTY.map((text) => [text, outcomeOf(field, text, `\n${JSON.stringify(fileWith(field, text))}`)]),
    )
  known.set(field, outcomes)
  return outcomes
}

/** The naughty strings that a file may hold in the field of this name. */
export function takenAs(name: string): readonly string[] {
  const field = FIELDS.find((each) => each.name === name)
  if (field === undefined) throw new Error(`There is no field ${name}.`)
  return [...outcomesOf(field)].filter(([, { isTaken }]) => isTaken).map(([text]) => text)
}

/** What a file, written so, makes of a text in a field. */
export function outcomeOf(field: Field, text: string, written: string): Outcome {
  const { menu, problems } = parse(Buffer.from(written))
  if (menu === null) return { isTaken: false, fault: faultOfRefusal(field, problems.filter(isError)) }
  const { expected = (same: string) => same } = field
  const isKept = isDeepStrictEqual(field.read(menu), expected(text))
  return { isTaken: true, fault: isKept ? null : 'is changed' }
}

function faultOfRefusal(field: Field, [problem, ...more]: readonly Problem[]): string | null {
  if (problem === undefined || more.length > 2) return `has ${more.length} problems`
  const { code, pointer, line, column } = problem
  if (line === 1 && column === 1) return `is refused without a place: ${code}`
  const text = toProblemText(problem, PAINT, 'menu.yaml:1:1')
  if (/[^\n\P{Cc}]|\p{Cf}|[\u2028\u2029]/u.test(text)) return 'is reported with its invisible characters'
  const isThere = pointer.startsWith(field.pointer) || code === 'control-character'
  return isThere ? null : `is refused at ${pointer}: ${code}`
}
