/** A form of the page without its state: what somebody does to the menu, as a browser without JavaScript sends it. */
export interface MenuForm {
  readonly page: 'edit' | 'place'
  readonly query: Readonly<Record<string, string>>
  readonly fields: Readonly<Record<string, string>>
}

/** A form that is not known to be taken. One that is sent twice with its key is taken once. */
export interface Unsent {
  readonly key: string
  readonly form: MenuForm
}

/** What has to outlive the page: forms in their order, and the state that the first of them was made for. */
export interface Kept {
  readonly state: string
  readonly unsent: readonly Unsent[]
}

/** What became of a form that was sent. */
export type Reply =
  | {
      readonly kind: 'done'
      readonly state: string
      readonly changes: number
      readonly marks: Readonly<Record<string, unknown>>
    }
  /** It will never be done as it is. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** It may be done later: `reason` is null without a response. */
  | { readonly kind: 'later'; readonly reason: string | null; readonly isSignedOut?: boolean }

export interface OutboxDeps {
  readonly send: (state: string, unsent: Unsent) => Promise<Reply>
  /** Keeps what is not saved yet; null for nothing. */
  readonly keep: (kept: Kept | null) => void
  /** Waits before something is sent again; `attempt` counts from 0. */
  readonly wait: (attempt: number) => Promise<void>
  readonly toKey: () => string
  /** Called after each reply. */
  readonly onReply: (reply: Reply) => void
}

/** The forms on their way to the draft: sent in order, one at a time, again until they are answered. */
export interface Outbox {
  readonly add: (form: MenuForm) => void
  readonly count: () => number
  /** The state of the draft after the last step that was done. */
  readonly state: () => string
  /** Goes on from another state; what was not sent is forgotten. */
  readonly reset: (state: string) => void
  /** Resolves once nothing is left to send: done, or refused. */
  readonly whenEmpty: () => Promise<void>
}

export function createOutbox(deps: OutboxDeps, { state: first, unsent: found }: Kept): Outbox {
  let state = first
  let unsent = [...found]
  let running: Promise<void> | null = null

  const keep = (): void => deps.keep(unsent.length === 0 ? null : { state, unsent })
  const run = async (): Promise<void> => {
    let attempt = 0
    for (let next = unsent[0]; next !== undefined; next = unsent[0]) {
      const reply = await deps.send(state, next)
      // Forgotten while it was on its way.
      if (next !== unsent[0]) continue
      if (reply.kind === 'done') {
        state = reply.state
        unsent.shift()
        attempt = 0
      } else if (reply.kind === 'refused') {
        // The later steps were made on top of it.
        unsent = []
      }
      keep()
      deps.onReply(reply)
      if (reply.kind === 'later') await deps.wait(attempt++)
    }
    running = null
  }
  const start = (): void => {
    if (unsent.length > 0) running ??= run()
  }
  start()

  return {
    add: (form) => {
      unsent.push({ key: deps.toKey(), form })
      keep()
      start()
    },
    count: () => unsent.length,
    state: () => state,
    reset: (next) => {
      state = next
      unsent = []
      keep()
    },
    whenEmpty: async () => {
      while (running !== null) await running
    },
  }
}
