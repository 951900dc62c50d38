import { type GitOutput, toReasonOfGit } from '../git/process.js'

/** A change of a ref of the remote. */
export interface RefUpdate {
  /** The full name, such as `refs/heads/main`. */
  readonly ref: string
  /** The commit that it is to name; null deletes it. */
  readonly commit: string | null
  /** What it must name now; null where it must not exist. */
  readonly expected: string | null
}

/**
 * What became of a push. `stale`: a ref is not what was expected. `denied`: the host does not allow it. `unreachable`: it is not
 * known whether the remote has it. Reasons are words for people.
 */
export type PushOutcome =
  | { readonly kind: 'pushed' | 'stale' }
  | { readonly kind: 'denied' | 'unreachable'; readonly reason: string }

/** The command that changes refs by compare-and-swap (git-push, "--force-with-lease"). */
export function toPushCommand(updates: readonly RefUpdate[]): readonly string[] {
  const leases = updates.map(({ ref, expected }) => `--force-with-lease=${ref}:${expected ?? ''}`)
  const specs = updates.map(({ ref, commit }) => `${commit ?? ''}:${ref}`)
  const atomic = updates.length > 1 ? ['--atomic'] : []
  return ['push', '--porcelain', '--no-verify', ...atomic, ...leases, 'origin', ...specs]
}

/** What hosts say when another push came first. */
const STALE =
  /stale info|fetch first|non-fast-forward|failed to update ref|cannot lock ref|failed to lock|incorrect old value|already exists|atomic push failed/
/** What git says where a host does not accept who signs in: it would ask a person. */
const UNKNOWN_USER = /returned error: 401|Authentication failed|could not read (Username|Password)/
/** What git says of other answers that forbid. */
const DENIED = /returned error: 403|Permission denied|not allowed/

/** Why a call did not reach the remote, in words for people, without any secret. */
export function toReasonOfRemote(stderr: string): string {
  if (UNKNOWN_USER.test(stderr)) return 'the host does not accept the credentials'
  return toReasonOfGit(stderr)
}

/** What a push printed, in one outcome (git-push, "OUTPUT"). */
export function toPushOutcome({ code, stdout, stderr }: GitOutput): PushOutcome {
  if (code === 0) return { kind: 'pushed' }
  const refused = stdout
    .toString('utf8')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.split('\t')[2] ?? '')
  const other = refused.find((line) => !STALE.test(line))
  if (refused.length > 0 && other === undefined) return { kind: 'stale' }
  if (other?.includes('remote failed to report')) return { kind: 'unreachable', reason: other }
  if (other !== undefined) return { kind: 'denied', reason: toDenial(other, stderr) }
  const isDenied = UNKNOWN_USER.test(stderr) || DENIED.test(stderr)
  return { kind: isDenied ? 'denied' : 'unreachable', reason: toReasonOfRemote(stderr) }
}

/** The words of a host about a push that it refuses: its own lines where it has some. */
function toDenial(summary: string, stderr: string): string {
  const lines = stderr.split('\n').flatMap((line) => /^remote:\s*(?:error:\s*)?(\S.*)$/.exec(line)?.[1] ?? [])
  // `[remote rejected] (protected branch hook declined)`
  const reason = summary.endsWith(')') ? summary.slice(summary.indexOf('(') + 1, -1) : summary
  return [...new Set([reason, ...lines.slice(0, 3)])].join(': ')
}
