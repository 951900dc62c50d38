import { isMap } from '../../model/json.js'

/** Milliseconds after which a list counts as unavailable. */
const PATIENCE_MS = 10_000

/** What the management API returns for a list, some words and other parameters; null if it does not respond. */
export async function ask(
  home: string,
  list: 'icons' | 'routes',
  words: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Readonly<Record<string, unknown>> | null> {
  try {
    const address = `${home}/api/${list}?${new URLSearchParams({ q: words, ...more })}`
    const response = await fetch(address, { signal: AbortSignal.timeout(PATIENCE_MS) })
    const found: unknown = response.ok && (await response.json())
    return isMap(found) ? found : null
  } catch {
    return null
  }
}
