/** Does something when it is asked for first, and keeps what comes of it; does it again where that failed. */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null
  return () => {
    made ??= work().catch((thrown: unknown) => {
      made = null
      throw thrown
    })
    return made
  }
}
