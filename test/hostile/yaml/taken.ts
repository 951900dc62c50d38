import { parse } from '../../document/parsing.js'
import { FIELDS, fileWith } from './fields.js'
import { NAUGHTY } from './naughty.js'

const known = new Map<string, readonly string[]>()

/** The naughty strings that a file may hold in the field of this name. */
export function takenAs(name: string): readonly string[] {
  const taken = known.get(name) ?? findTaken(name)
  known.set(name, taken)
  return taken
}

function findTaken(name: string): readonly string[] {
  const field = FIELDS.find((each) => each.name === name)
  if (field === undefined) throw new Error(`There is no field ${name}.`)
  return NAUGHTY.filter((text) => parse(Buffer.from(JSON.stringify(fileWith(field, text)))).menu !== null)
}
