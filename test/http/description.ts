import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import * as assert from 'uvu/assert'
import type { HttpAnswer } from '../support/http.js'
import type { OpenSite } from './sites.js'

export type JsonObject = Readonly<Record<string, unknown>>

/** The value at a path of keys. */
export function at(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>((inner, key) => (inner as JsonObject | undefined)?.[key], value)
}

export async function descriptionOf({ ask }: Pick<OpenSite, 'ask'>): Promise<JsonObject> {
  return (await ask('/openapi.json')).json() as JsonObject
}

/** Holds an answer against what a description says of an operation, such as `GET /livez`. */
type Judge = (operation: string, answer: HttpAnswer) => void

/** Most sites have the same description, and to compile its schemas takes longer than to ask the site. */
const judges = new Map<string, Judge>()

export function createJudge(description: JsonObject): Judge {
  const text = JSON.stringify(description)
  const judge = judges.get(text) ?? judgeOf(description)
  judges.set(text, judge)
  return judge
}

function judgeOf(description: JsonObject): Judge {
  const ajv = new Ajv2020({ strict: false }).addSchema(description, 'doc')
  const validators = new Map<string, ValidateFunction>()
  return (operation, { status, headers, json, text }) => {
    const [method = '', path = ''] = operation.split(' ')
    const response = at(description, 'paths', path, method.toLowerCase(), 'responses', String(status))
    assert.ok(response, `${operation} says nothing of ${status}: ${text}`)
    const schema = at(response, 'content', headers['content-type'] ?? '', 'schema')
    if (schema === undefined) {
      assert.is(at(response, 'content'), undefined, operation)
      return
    }
    const rooted = JSON.stringify(schema).replaceAll('#/components', 'doc#/components')
    const validate = validators.get(rooted) ?? ajv.compile(JSON.parse(rooted))
    validators.set(rooted, validate)
    assert.ok(validate(json()), `${operation} ${status}: ${JSON.stringify(validate.errors)} ${text}`)
  }
}
