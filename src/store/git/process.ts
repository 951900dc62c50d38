import { execFile } from 'node:child_process'
import { isAbsolute, relative, resolve, sep } from 'node:path'

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
 * What a hook of some repository sets for that repository alone (`git rev-parse --local-env-vars`, without what carries
 * settings): with `GIT_DIR` and no `GIT_WORK_TREE`, git takes any folder for the top of the work tree.
 */
const OF_ONE_REPOSITORY = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_PREFIX',
  'GIT_COMMON_DIR',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_SHALLOW_FILE',
  'GIT_GRAFT_FILE',
  'GIT_INTERNAL_SUPER_PREFIX',
]

/** What would change how paths are read, or what a difference looks like. */
const OF_TASTE = [
  'GIT_GLOB_PATHSPECS',
  'GIT_NOGLOB_PATHSPECS',
  'GIT_ICASE_PATHSPECS',
  'GIT_EXTERNAL_DIFF',
  'GIT_DIFF_OPTS',
]

/**
 * Git speaks one language, asks nobody, does not wait for locks that only make it faster, and takes a path for a path:
 * `menus[1]` and `:menus` are folders like any other.
 */
const ALWAYS: Variables = {
  LC_ALL: 'C',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_LITERAL_PATHSPECS: '1',
}

/** The environment in which git finds the repository by the folder that it runs in. */
export function toOwnEnvironment(environment: Variables): Variables {
  const strange = new Set([...OF_ONE_REPOSITORY, ...OF_TASTE])
  const entries = Object.entries(environment).filter(([name]) => !strange.has(name))
  return { ...Object.fromEntries(entries), ...ALWAYS }
}

/** The environment with the repository that it names, such as a work tree whose git folder lies elsewhere; null without one. */
export function toNamedEnvironment(environment: Variables): Variables | null {
  const { GIT_DIR, GIT_WORK_TREE } = environment
  return GIT_DIR === undefined || GIT_WORK_TREE === undefined
    ? null
    : { ...toOwnEnvironment(environment), GIT_DIR: resolve(GIT_DIR), GIT_WORK_TREE: resolve(GIT_WORK_TREE) }
}

/** The index that a hook is to look at (`git commit PATH` has one for itself), where it is one of this repository. */
export function toHookIndex(environment: Variables, root: string, gitFolder: string): Variables {
  const { GIT_INDEX_FILE } = environment
  if (GIT_INDEX_FILE === undefined) return {}
  // Git reads it from the top of the work tree.
  const file = resolve(root, GIT_INDEX_FILE)
  const path = relative(gitFolder, file)
  const isElsewhere = path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path)
  return isElsewhere ? {} : { GIT_INDEX_FILE: file }
}

/** Bytes of output that are held at most. */
const MAX_OUTPUT_BYTES = 1 << 30

/** Makes what runs git in a folder. */
export function createGit(
  folder: string,
  environment: Variables,
  maxBytes: number = MAX_OUTPUT_BYTES,
): RunGit {
  return (args, input) =>
    new Promise((done) => {
      if (args.some((arg) => arg.includes('\0'))) {
        done({ code: -1, stdout: Buffer.alloc(0), stderr: 'fatal: an argument has a NUL character' })
        return
      }
      const options = {
        cwd: folder,
        env: { ...environment },
        encoding: 'buffer' as const,
        maxBuffer: maxBytes,
        windowsHide: true,
      }
      const child = execFile('git', [...args], options, (error, stdout, stderr) => {
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
  const told = lines.find((line) => /^(fatal|error): /.test(line)) ?? lines[0] ?? 'it does not say why'
  return told.replace(/^(fatal|error): /, '').trim()
}
