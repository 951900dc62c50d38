declare const VALUE: unique symbol

/** A JSON Schema of values of a type, which the compiler checks against it. */
export interface Schema<Value = unknown> {
  readonly [keyword: string]: unknown
  readonly [VALUE]?: Value
}
type Members<T> = { readonly [Name in keyof T]: Schema<T[Name]> }

/** The schemas of plain values. */
export const text: Schema<string> = { type: 'string' }
export const integer: Schema<number> = { type: 'integer' }
export const flag: Schema<boolean> = { type: 'boolean' }
export const anyObject: Schema<object> = { type: 'object' }

/** A value or null. */
export function nullable<Value>(schema: Schema<Value>): Schema<Value | null> {
  return { ...schema, type: [schema['type'], 'null'] } as Schema<Value | null>
}
/** A list of such values. */
export function list<Value>(items: Schema<Value>): Schema<readonly Value[]> {
  return { type: 'array', items }
}
/** An object with any members of such values. */
export function map<Value>(values: Schema<Value>): Schema<Readonly<Record<string, Value>>> {
  return { type: 'object', additionalProperties: values }
}
/** One of some texts. */
export function oneOf<const Value extends string>(...values: readonly Value[]): Schema<Value> {
  return { enum: values }
}
/** A schema with a description. */
export function about<Value>(schema: Schema<Value>, description: string): Schema<Value> {
  return { ...schema, description }
}
/** A reference to a schema of the description, by its name. */
export function to(name: string): Schema<never> {
  return { $ref: `#/components/schemas/${name}` }
}
/** An object that has all of some members, and may have others. */
export function object<T extends object, Optional extends object = object>(
  members: Members<T>,
  optional: Members<Optional> = {} as Members<Optional>,
): Schema<T & Partial<Optional>> {
  return { type: 'object', required: Object.keys(members), properties: { ...members, ...optional } }
}
/** What the deed judges itself, with a problem code of its own: it is described, and not validated. */
export function judged(schema: Schema): Schema {
  return { ...schema, [JUDGED]: true }
}
const JUDGED: unique symbol = Symbol('judged')

/** A schema without what deeds judge themselves. */
export function toValidated(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toValidated)
  if (typeof schema !== 'object' || schema === null) return schema
  if (JUDGED in schema) return {}
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, toValidated(value)]))
}
