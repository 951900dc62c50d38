/** What the parser's thread is asked. */
export interface ParseTask {
  readonly id: number
  readonly path: string
  readonly bytes: Uint8Array
}

/** What the thread says once it can be asked. */
export const READY = 'ready'
