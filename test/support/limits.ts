import schema from '../../schemas/config.schema.json' with { type: 'json' }
import type { Limits } from '../../src/model/limits.js'

const OPTIONS = Object.entries(schema.properties.limits.properties)

/** The limits of a deployment that sets none: the schema is where they are. */
export const DEFAULT_LIMITS: Limits = Object.fromEntries(
  OPTIONS.map(([name, option]) => [name, option.default]),
) as unknown as Limits
