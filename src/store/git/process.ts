import { resolve } from 'node:path'
import { createTurns } from '../turns.js'

/** The result of one call of git. */
export interface GitOutput {
  /** The exit code; -1 where git did not start, was killed, or printed more than the limit. */
  readonly code: number
  readonly stdout: Buffer
  readonly stderr: string
}

/** A repository that is damaged, or lacks required content: no caller can foresee that. */
export class GitError extends Error {}

/** Runs git; never throws for its answer. `input` is its standard input. */
export type RunGit = (args: readonly string[], input?: string | Uint8Array) => Promise<GitOutput>

type Variables = Readonly<Record<string, string | undefined>>

/**
 * Options before every command: nothing in a repository, and no user's setting, can make git run a program, fetch, or obey a
 * bare repository made of committed files (git-config, `safe.bareRepository`). Command-line settings come last and win.
 */
const SAFE: readonly string[] = [
  'safe.bareRepository=explicit',
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.attributesFile=/dev/null',
  // Where a repository sets it, GIT_NO_REPLACE_OBJECTS does not count (git 2.39).
  'core.useReplaceRefs=false',
  'log.showSignature=false',
  // Git before 2.45 does not know GIT_NO_LAZY_FETCH.
  'protocol.allow=never',
].flatMap((setting) => ['-c', setting])

/**
 * The environment variables of git that stay: where its own programs and settings are, how far it searches for a repository,
 * and its traces. Those that name a repository, an index, a program or other objects go: a hook of one repository may read
 * another, and with `GIT_DIR` alone git takes any folder for the top of a work tree.
 */
const KEPT = new Set([
  'GIT_EXEC_PATH',
  'GIT_CEILING_DIRECTORIES',
  'GIT_DISCOVERY_ACROSS_FILESYSTEM',
  'GIT_TEST_ASSUME_DIFFERENT_OWNER',
])
const KEPT_KINDS = ['GIT_CONFIG_', 'GIT_TRACE']

function isKept(name: string): boolean {
  return !name.startsWith('GIT_') || KEPT.has(name) || KEPT_KINDS.some((kind) => name.startsWith(kind))
}

/**
 * Git answers in one language, asks no questions, does not wait for locks that only make it faster, takes paths literally
 * (`menus[1]` and `:menus` are folders like any other), and reads commits as they are: neither `refs/replace` nor grafts
 * replace them.
 */
const ALWAYS: Variables = {
  LC_ALL: 'C',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_LITERAL_PATHSPECS: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_GRAFT_FILE: '/dev/null',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_ATTR_NOSYSTEM: '1',
}

/** The repository that the environment names, such as a work tree whose git folder is elsewhere; null without one. */
export function namedRepository({ GIT_DIR, GIT_WORK_TREE }: Variables): Variables | null {
  return GIT_DIR === undefined || GIT_WORK_TREE === undefined
    ? null
    : { GIT_DIR: resolve(GIT_DIR), GIT_WORK_TREE: resolve(GIT_WORK_TREE) }
}

/** The most bytes of output that are kept. */
const MAX_OUTPUT_BYTES = 1 << 30

/** Processes of git at a time: many more would keep each other, and the service, from working. */
const inTurn = createTurns(4)

/** What one call of git may take. */
export interface GitLimits {
  /** Bytes of output. Default: 1 GiB. */
  readonly maxBytes?: number
  /** Milliseconds. Default: no limit, because a user at a terminal can stop it. */
  readonly timeout?: number
  /** Ends the calls that run, and all later ones. Default: nothing does. */
  readonly signal?: AbortSignal
}

/**
 * Makes the function that runs git in a folder, up to four processes at a time. Git finds the repository by that folder, unless `named` has one; nothing
 * else in this program starts git.
 */
export function createGit(
  folder: string,
  named: Variables = {},
  { maxBytes = MAX_OUTPUT_BYTES, timeout = 0, signal }: GitLimits = {},
): RunGit {
  const own = Object.entries(process.env).filter(([name]) => isKept(name))
  const options = {
    cwd: folder,
    env: { ...Object.fromEntries(own), ...ALWAYS, ...named },
    encoding: 'buffer' as const,
    maxBuffer: maxBytes,
    // By SIGTERM, so that git removes its locks.
    timeout,
    ...(signal && { signal }),
    windowsHide: true,
  }
  return async (args, input) => {
    if (args.some((arg) => arg.includes('\0')))
      return { code: -1, stdout: Buffer.alloc(0), stderr: 'fatal: an argument has a NUL character' }
    // Commands that need no git do without what starts programs.
    const { execFile } = await import('node:child_process')
    const start = (): Promise<GitOutput> =>
      new Promise((done) => {
        if (signal?.aborted) return done({ code: -1, stdout: Buffer.alloc(0), stderr: STOPPING })
        const child = execFile('git', ['--no-pager', ...SAFE, ...args], options, (error, stdout, stderr) => {
          const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
          const late = error?.killed ? `it took longer than ${timeout / 1000} seconds` : error?.signal
          const what = signal?.aborted ? 'the service is stopping' : (error?.code ?? late ?? error?.message)
          const reason = code === -1 ? `fatal: ${what ?? ''}\n` : ''
          done({ code, stdout, stderr: reason + stderr.toString('utf8') })
        })
        // If git exits before it has read everything, the pipe closes; its answer has the reason.
        child.stdin?.on('error', () => {})
        child.stdin?.end(input)
      })
    return inTurn(start)
  }
}

const STOPPING = 'fatal: the service is stopping'

/** The line of git's messages with the reason. */
export function toReasonOfGit(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '')
  const told = lines.find((line) => /^(fatal|error): /.test(line)) ?? lines[0] ?? 'it gives no reason'
  return told.replace(/^(fatal|error): /, '').trim()
}
