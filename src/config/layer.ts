import type { Problem } from '../model/problem.js'

/** Where a value comes from: a kind, and the file with its line, the variable or the flag. */
export interface Origin {
  readonly kind: 'default' | 'file' | 'environment' | 'flag'
  /** `menuscript.config.yaml:3`, `MENUSCRIPT_SERVER_PORT`, `--port`, or `''` for a default. */
  readonly where: string
}

/** The values that one source gives, nested as in a file. */
export interface Layer {
  readonly values: Readonly<Record<string, unknown>>
  readonly originOf: (name: string) => Origin
  readonly problems: readonly Problem[]
}
