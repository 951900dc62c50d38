import { isMap } from '../../model/json.js'

/** Milliseconds after which the lists of a form go without an answer. */
const PATIENCE_MS = 10_000

/** What the management API answers for a list and some words; an empty map where it does not answer. */
export async function ask(
  home: string,
  list: 'icons' | 'routes',
  words: string,
): Promise<Readonly<Record<string, unknown>>> {
  try {
    const address = `${home}/api/${list}?${new URLSearchParams({ q: words })}`
    const response = await fetch(address, { signal: AbortSignal.timeout(PATIENCE_MS) })
    const found: unknown = response.ok && (await response.json())
    return isMap(found) ? found : {}
  } catch {
    return {}
  }
}
