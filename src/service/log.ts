/** What a line of the log tells besides its event; values are shown as JSON. */
export type LogFields = Readonly<Record<string, unknown>>

/** Where events go. An event is a `snake_case` name, its fields are data: nothing is pasted into sentences. */
export interface Log {
  readonly debug: (event: string, fields?: LogFields) => void
  readonly info: (event: string, fields?: LogFields) => void
  readonly warn: (event: string, fields?: LogFields) => void
  readonly error: (event: string, fields?: LogFields) => void
}

const nothing = (): void => {}

/** A log that is not kept. */
export const SILENT_LOG: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing }

/** Warnings and errors on the console of the program that we are a part of. */
export const CONSOLE_LOG: Log = {
  debug: nothing,
  info: nothing,
  warn: (event, fields = {}) => console.warn(`menuscript: ${event} ${JSON.stringify(fields)}`),
  error: (event, fields = {}) => console.error(`menuscript: ${event} ${JSON.stringify(fields)}`),
}

/** The log of a host, whose methods may belong to a class. Lines that it fails to take are lost: nothing else fails with them. */
export function toOutlived(log: Log): Log {
  const outlived =
    (level: keyof Log) =>
    (event: string, fields?: LogFields): void => {
      try {
        const told: unknown = log[level](event, fields)
        // One that writes later says that it failed by a promise.
        if (told instanceof Promise) told.catch(() => {})
      } catch {
        // There is nobody left to tell.
      }
    }
  return {
    debug: outlived('debug'),
    info: outlived('info'),
    warn: outlived('warn'),
    error: outlived('error'),
  }
}

/** A log that keeps the errors of menu files back until `release`: whoever reports them in another way does not release them. */
export function holdMenuErrors(log: Log): { readonly log: Log; readonly release: () => void } {
  let held: LogFields[] | null = []
  const error: Log['error'] = (event, fields = {}) => {
    if (event === 'menu_problem' && held !== null) held.push(fields)
    else log.error(event, fields)
  }
  const release = (): void => {
    const errors = held ?? []
    held = null
    for (const fields of errors) log.error('menu_problem', fields)
  }
  return { log: { ...log, error }, release }
}

/** An unexpected value, thrown or returned, as a short text for the log. */
export function toReason(thrown: unknown): string {
  try {
    if (thrown instanceof Error) return String(thrown.message || thrown.name)
  } catch {
    return 'an error that cannot be read'
  }
  return typeof thrown === 'string' ? thrown : `not an error: ${typeof thrown}`
}
