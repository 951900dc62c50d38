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
