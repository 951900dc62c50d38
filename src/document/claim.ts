import { isScalar } from '../model/context.js'
import { type Limits, toYamlLimits } from '../model/limits.js'
import type { Context } from '../model/menu.js'
import { decodeUtf8 } from './decode.js'
import { readYamlMap } from './read-yaml.js'

/** Which menu a text is of, as far as it says so, whatever else is wrong with it. */
export interface Claim {
  readonly code: string
  /** `{}` is no context; null where the text cannot be read that far. */
  readonly context: Context | null
}

/** A line that gives a code, in a text that is no YAML. */
const CODE_LINE = /^[ \t{]*["']?code["']?[ \t]*:[ \t]*["']?([\w.-]{1,64})/m

/** The menu that bytes claim to be; null where they name none. */
export function claimOf(bytes: Uint8Array, limits: Limits): Claim | null {
  const { value } = readYamlMap('', bytes, toYamlLimits(limits))
  if (value !== null) return claimIn(value)
  const [, code] = CODE_LINE.exec(decodeUtf8(bytes).text ?? '') ?? []
  return code === undefined ? null : { code, context: null }
}

/** The menu that the value of a file claims to be; null where it names none. */
export function claimIn(value: unknown): Claim | null {
  if (!isMap(value) || typeof value['code'] !== 'string') return null
  const context = value['context'] ?? {}
  const isContext = isMap(context) && Object.values(context).every(isScalar)
  return { code: value['code'], context: isContext ? (context as Context) : null }
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
