// The build replaces this module by code compiled from the same schemas with the same options (.build/bundle.ts).
import type { ValidateFunction } from 'ajv'
import { createAjv } from '../document/read/ajv.js'
import { toValidated } from './schema-parts.js'
import { BODIES } from './schemas.js'

const ajv = createAjv({ allErrors: false, verbose: false })

/** Whether a body has the form that its request needs, by the name of the body; if not, `errors` has the first reason. */
export const VALIDATORS: Readonly<Record<string, ValidateFunction>> = Object.fromEntries(
  Object.entries(BODIES).map(([name, schema]) => [name, ajv.compile(toValidated(schema) as object)]),
)
