import schema from '../../schemas/config.schema.json' with { type: 'json' }
import type { Limits } from '../../src/model/limits.js'

const OPTIONS = Object.entries(schema.properties.limits.properties)

/** The limits of a deployment that sets none, and the largest that one may set: the schema is where they are. */
export const DEFAULT_LIMITS: Limits = toLimits('default')
export const LARGEST_LIMITS: Limits = toLimits('maximum')

function toLimits(which: 'default' | 'maximum'): Limits {
  return Object.fromEntries(OPTIONS.map(([name, option]) => [name, option[which]])) as unknown as Limits
}
