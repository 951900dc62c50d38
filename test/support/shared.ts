/**
 * Opens something once for all test files of a process, when the first of them asks for it; it is closed after the last.
 *
 * @returns what gives it to a test
 */
export function shared<T>(open: () => Promise<T>, close: (opened: T) => Promise<unknown>): () => Promise<T> {
  let opened: Promise<T> | null = null
  return () => {
    if (opened === null) {
      const opening = open()
      opened = opening
      process.on('lastFileRan', () => void opening.then(close))
    }
    return opened
  }
}
