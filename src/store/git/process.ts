import { execFile } from 'node:child_process'
import { resolve } from 'node:path'

/** What one call of git left behind. */
export interface GitOutput {
  /** The exit code; -1 where git was not started, was ended, or said more than can be held. */
  readonly code: number
  readonly stdout: Buffer
  readonly stderr: string
}

/** Runs git; never throws for what git answers. `input` is what it reads. */
export type RunGit = (args: readonly string[], input?: string | Uint8Array) => Promise<GitOutput>

type Variables = Readonly<Record<string, string | undefined>>

/**
 * Before every command: nothing that a repository holds, and no setting of anybody, has git run a program, fetch, or
 * obey a bare repository that committed files make up (git-config, `safe.bareRepository`). The settings of the command
 * line are the last, and count.
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
 * The variables of git that stay: where its own programs and settings are, how far it searches for a repository, and
 * its traces. Those that name a repository, an index, a program or other objects do not: a hook
 * of one repository may read another, and with `GIT_DIR` alone git takes any folder for the top of a work tree.
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
 * Git speaks one language, asks no questions, does not wait for locks that only make it faster, takes a path for a path
 * (`menus[1]` and `:menus` are folders like any other), and a commit for what it is: neither `refs/replace` nor grafts
 * put another in its place.
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

/** The repository that the environment names, such as a work tree whose git folder lies elsewhere; null without one. */
export function namedRepository({ GIT_DIR, GIT_WORK_TREE }: Variables): Variables | null {
  return GIT_DIR === undefined || GIT_WORK_TREE === undefined
    ? null
    : { GIT_DIR: resolve(GIT_DIR), GIT_WORK_TREE: resolve(GIT_WORK_TREE) }
}

/** Bytes of output that are held at most. */
const MAX_OUTPUT_BYTES = 1 << 30

/**
 * Makes what runs git in a folder. It finds the repository by that folder, unless `named` has one; nothing else in this
 * program starts git.
 */
export function createGit(
  folder: string,
  named: Variables = {},
  maxBytes: number = MAX_OUTPUT_BYTES,
): RunGit {
  const own = Object.entries(process.env).filter(([name]) => isKept(name))
  const options = {
    cwd: folder,
    env: { ...Object.fromEntries(own), ...ALWAYS, ...named },
    encoding: 'buffer' as const,
    maxBuffer: maxBytes,
    windowsHide: true,
  }
  return (args, input) =>
    new Promise((done) => {
      if (args.some((arg) => arg.includes('\0'))) {
        done({ code: -1, stdout: Buffer.alloc(0), stderr: 'fatal: an argument has a NUL character' })
        return
      }
      const child = execFile('git', ['--no-pager', ...SAFE, ...args], options, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
        const reason = code === -1 ? `fatal: ${error?.code ?? error?.signal ?? error?.message ?? ''}\n` : ''
        done({ code, stdout, stderr: reason + stderr.toString('utf8') })
      })
      // A git that ends before it has read everything closes the pipe; its answer says why.
      child.stdin?.on('error', () => {})
      child.stdin?.end(input)
    })
}

/** The line of git's messages that says what went wrong. */
export function toReasonOfGit(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '')
  const told = lines.find((line) => /^(fatal|error): /.test(line)) ?? lines[0] ?? 'it gives no reason'
  return told.replace(/^(fatal|error): /, '').trim()
}
