import type { Problem } from '../model/problem.js'

/** Where a value comes from: a kind, and the file with its line, the variable, the flag or the member. */
export interface Origin {
  readonly kind: 'default' | 'file' | 'environment' | 'flag' | 'code'
  /** `menuscript.config.yaml:3`, `MENUSCRIPT_SERVER_PORT`, `--port`, `options.locales`, or `''` for a default. */
  readonly where: string
}

/** The values that one source gives, nested as in a file. */
export interface Layer {
  readonly values: Readonly<Record<string, unknown>>
  readonly originOf: (name: string) => Origin
  readonly problems: readonly Problem[]
}
