import type { Snapshot } from '../../../src/model/snapshot.js'
import type { Store } from '../../../src/store/live/open-store.js'

/** Waits until what is served is as it should be; answers after how many milliseconds. Throws when time is up. */
export function servedWhen(
  store: Store,
  isRight: (snapshot: Snapshot) => boolean,
  { within = 30_000, what = 'It' }: { readonly within?: number; readonly what?: string } = {},
): Promise<number> {
  const start = performance.now()
  if (isRight(store.current)) return Promise.resolve(0)
  return new Promise((resolve, reject) => {
    const end = store.onChange((snapshot) => {
      if (!isRight(snapshot)) return
      stop()
      resolve(performance.now() - start)
    })
    const timer = setTimeout(() => {
      stop()
      reject(new Error(`${what} was not served within ${within} ms.`))
    }, within)
    const stop = (): void => {
      clearTimeout(timer)
      end()
    }
  })
}

/** Every snapshot from now on, the present one first, until the test is over. */
export function everySnapshot(store: Store): Snapshot[] {
  const seen = [store.current]
  store.onChange((snapshot) => seen.push(snapshot))
  return seen
}

/** The name of the menu that a file serves; null when it serves none. */
export function nameIn(snapshot: Snapshot, path = 'main.yaml'): string | null {
  return snapshot.served.get(path)?.menu.name ?? null
}

/** How many items a file serves on the first level. */
export function itemsIn(snapshot: Snapshot, path = 'main.yaml'): number {
  return snapshot.served.get(path)?.menu.items.length ?? 0
}

/** A menu of so many links, each with the name of the menu in its label: parts of two versions show. */
export function longMenu(code: string, name: string, count: number): string {
  const item = (place: number): string => `  - label: ${name} ${place}\n    url: /${code}/${place}\n`
  const items = Array.from({ length: count }, (_, place) => item(place)).join('')
  return `version: 1\ncode: ${code}\nname: ${name}\nitems:\n${items}`
}
