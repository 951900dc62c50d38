import { createHash } from 'node:crypto'
import { type ParseOptions, parseMenuFile } from '../../src/document/parse.js'
import type { MenuFile } from '../../src/model/menu-file.js'
import type { Problem } from '../../src/model/problem.js'
import { buildSnapshot, type Snapshot } from '../../src/model/snapshot.js'
import { DEFAULT_LIMITS } from './limits.js'

export interface SnapshotOptions {
  /** What was served before. Default: null, a cold start. */
  readonly previous?: Snapshot | null
  readonly folderProblems?: readonly Problem[]
  /** Default: two locales, no routes declared, paths made, any icon library, the limits of a fresh service. */
  readonly parse?: Partial<ParseOptions>
}

const PARSE_OPTIONS: ParseOptions = {
  limits: DEFAULT_LIMITS,
  vocabulary: {
    locales: ['en', 'es'],
    routes: null,
    pathsAreMade: true,
    now: null,
    iconLibraries: null,
    permissions: null,
    off: new Set(),
  },
  hash: toHash,
}

/** The content hash of bytes or of a text, short enough to read in a failing test. */
export function toHash(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16)
}

/** What one menu file says. */
export function fileOf(path: string, text: string, options: Partial<ParseOptions> = {}): MenuFile {
  return parseMenuFile(path, new TextEncoder().encode(text), { ...PARSE_OPTIONS, ...options })
}

/** The snapshot of these files, by path. */
export function snapshotOf(files: Readonly<Record<string, string>>, options: SnapshotOptions = {}): Snapshot {
  const { previous = null, folderProblems = [], parse = {} } = options
  const parsed = Object.entries(files).map(([path, text]) => fileOf(path, text, parse))
  return buildSnapshot({ files: parsed, previous, folderProblems, hash: toHash })
}
