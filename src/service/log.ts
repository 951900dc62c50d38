/** What a line of the log contains besides its event; values are shown as JSON. */
export type LogFields = Readonly<Record<string, unknown>>

/** Where events go. An event is a `snake_case` name, its fields are data: nothing is pasted into sentences. */
export interface Log {
  readonly debug: (event: string, fields?: LogFields) => void
  readonly info: (event: string, fields?: LogFields) => void
  readonly warn: (event: string, fields?: LogFields) => void
  readonly error: (event: string, fields?: LogFields) => void
}

export type Level = keyof Log

/** A log by the one function that takes its lines. */
export function createLog(write: (level: Level, event: string, fields?: LogFields) => void): Log {
  return {
    debug: (event, fields) => write('debug', event, fields),
    info: (event, fields) => write('info', event, fields),
    warn: (event, fields) => write('warn', event, fields),
    error: (event, fields) => write('error', event, fields),
  }
}

/** Whether a value can be a log: an object or a function with its methods. */
export function isLog(value: unknown): boolean {
  const methods: Partial<Record<Level, unknown>> = Object(value)
  return [methods.debug, methods.info, methods.warn, methods.error].every(
    (each) => typeof each === 'function',
  )
}

/** A log that is not kept. */
export const SILENT_LOG: Log = createLog(() => {})

/** Warnings and errors on the console of the program that we are a part of. */
export const CONSOLE_LOG: Log = createLog((level, event, fields = {}) => {
  if (level === 'warn' || level === 'error') console[level](`menuscript: ${event} ${JSON.stringify(fields)}`)
})

/** The log of a host, whose methods may belong to a class. Lines that it fails to write are lost: nothing else fails with them. */
export function toSafeLog(log: Log): Log {
  return createLog((level, event, fields) => {
    try {
      const written: unknown = log[level](event, fields)
      // One that writes later reports by a promise that it failed.
      if (written instanceof Promise) written.catch(() => {})
    } catch {
      // There is no other log to report this to.
    }
  })
}

/** A log that keeps the errors of menu files back until `release`: a caller that reports them in another way does not release them. */
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
