import type { Editing } from './editing.js'
import { slice } from './layout.js'
import { toScalarText } from './scalar-text.js'
import type { Like } from './styles.js'

/** A key, in quotes where its neighbour is. */
export function keyText({ styles }: Editing, key: string, like: Like | null): string {
  const quote = like?.entry == null ? '' : slice(like.layout, like.entry.keyStart, like.entry.keyStart + 1)
  const wish = quote === '"' ? 'double' : quote === "'" ? 'single' : 'plain'
  return toScalarText(key, wish, 'key', styles.quote)
}

/** A key with its colon; one that is too long for a line (YAML 1.2.2, 7.4.2) has a `?`, and its colon behind `between`. */
export function withColon(key: string, between: string): string {
  return key.length > 1000 ? `? ${key}${between}:` : `${key}:`
}
