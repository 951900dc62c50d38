const closers: (() => Promise<unknown>)[] = []

/** Has something that several files of a process share closed after the last of them. */
export function lastly(close: () => Promise<unknown>): void {
  closers.push(close)
}

/** Closes what was asked for, all at once. */
export async function runClosers(): Promise<void> {
  await Promise.all(closers.splice(0).map((close) => close()))
}
