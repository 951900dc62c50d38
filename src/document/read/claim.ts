import { isScalar } from '../../model/context.js'
import { isMap } from '../../model/json.js'
import type { Context } from '../../model/menu.js'
import type { MenuDocument } from '../menu-document.js'

/** The menu that a text belongs to, as far as it can be read, whatever else is wrong with it. */
export interface Claim {
  readonly code: string
  /** `{}` is no context; null where the text cannot be read that far. */
  readonly context: Context | null
}

/** A line with a code, without the blanks before it, in a text that is not YAML. */
const CODE_LINE = /^[{]?[ \t]{0,8}["']?code["']?[ \t]{0,8}:[ \t]{0,8}["']?([\w.-]{1,64})/

/** The menu that a document claims to be; null where it names none. */
export function claimOf({ value, text }: MenuDocument): Claim | null {
  if (value !== null) return claimIn(value)
  for (const line of text.split('\n')) {
    const [, code] = CODE_LINE.exec(line.trimStart()) ?? []
    if (code !== undefined) return { code, context: null }
  }
  return null
}

/** The menu that the value of a file claims to be; null where it names none. */
export function claimIn(value: unknown): Claim | null {
  if (!isMap(value) || typeof value['code'] !== 'string') return null
  const context = value['context'] ?? {}
  const isContext = isMap(context) && Object.values(context).every(isScalar)
  return { code: value['code'], context: isContext ? (context as Context) : null }
}
