// The build replaces this module by code compiled from the same schemas with the same options, so that the service starts
// without loading or running the schema compiler.
import type { ValidateFunction } from 'ajv'
import configSchema from '../../../schemas/config.schema.json' with { type: 'json' }
import menuSchema from '../../../schemas/menu.schema.json' with { type: 'json' }
import { createAjv } from './ajv.js'

const ajv = createAjv()

/** Whether a value has the form of a menu; if not, `errors` has the reasons. */
export const validateMenu: ValidateFunction = ajv.compile(menuSchema)

/** Whether a value has the form of a configuration; if not, `errors` has the reasons. */
export const validateConfig: ValidateFunction = ajv.compile(configSchema)
