/** Tasks that share a key run one after the other, in the order in which they came; others run beside each other. */
export interface Queues {
  /**
   * Runs a task as soon as all earlier tasks with one of its keys have ended. Null where too many wait; then it never runs.
   * Nobody holds one key while waiting for another, so that no two tasks can wait for each other.
   */
  readonly run: <T>(keys: readonly string[], task: () => Promise<T>) => Promise<T> | null
  /** Waits until all tasks have ended. */
  readonly end: () => Promise<void>
}

/** How many tasks may run and wait. */
export interface QueueLimits {
  readonly ofKey: number
  readonly all: number
}

export function createQueues(limits: QueueLimits): Queues {
  /** By key: the end of its last task, and how many there are. */
  const queues = new Map<string, { readonly tail: Promise<unknown>; readonly count: number }>()
  const running = new Set<Promise<unknown>>()
  const countOf = (key: string): number => queues.get(key)?.count ?? 0
  return {
    run: (given, task) => {
      const keys = [...new Set(given)]
      if (running.size >= limits.all || keys.some((key) => countOf(key) >= limits.ofKey)) return null
      const result = Promise.all(keys.map((key) => queues.get(key)?.tail)).then(task)
      const tail = result
        .catch(() => {})
        .then(() => {
          running.delete(tail)
          for (const key of keys) {
            const { tail: last = tail, count = 1 } = queues.get(key) ?? {}
            if (count === 1) queues.delete(key)
            else queues.set(key, { tail: last, count: count - 1 })
          }
        })
      running.add(tail)
      for (const key of keys) queues.set(key, { tail, count: countOf(key) + 1 })
      return result
    },
    end: async () => {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
