import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { State } from './state.js'

/** What a running service leaves in its state folder: where it listens. */
const NAME = 'address'

/**
 * Leaves the address of a service, such as `http://127.0.0.1:4400`, and answers what removes it again, unless another service
 * has left its own since. Throws file system errors.
 */
export function leaveAddress(state: State, url: string): () => void {
  state.write(NAME, `${url}\n`)
  return () => {
    if (readAddress(state) === url) rmSync(join(state.dir, NAME), { force: true })
  }
}

/** The address that was left last; the service may have been killed since. Null for none. */
export function readAddress({ dir }: State): string | null {
  try {
    return new URL(readFileSync(join(dir, NAME), 'utf8').trim()).origin
  } catch {
    return null
  }
}
