import type { ProblemCode } from '../refusal.js'

/** Why a file is not written. */
export const WRITING: readonly ProblemCode[] = [
  'busy',
  'folder-swapped',
  'read-only',
  'no-space',
  'not-written',
  'propose-only',
  'remote-denied',
  'remote-unreachable',
]
/** Why a text is not published. */
export const PUBLISHING: readonly ProblemCode[] = ['bad-path', 'changed', 'invalid-menu', ...WRITING]
/** Why a draft cannot be kept. */
export const KEEPING: readonly ProblemCode[] = [
  ...(['draft-unreadable', 'too-many-drafts', 'busy', 'read-only', 'no-space', 'not-written'] as const),
]
/** Why a step of a draft is not made. */
export const STEPPING: readonly ProblemCode[] = [
  ...(['no-draft', 'draft-changed', 'bad-version', 'draft-too-large'] as const),
  ...KEEPING,
]
/** Why a draft is not published, even where nothing is written. */
export const MERGING: readonly ProblemCode[] = [
  'no-draft',
  'no-file',
  'conflict',
  'uneditable',
  'draft-unreadable',
]
export const VERSIONED: readonly ProblemCode[] = ['version-required', 'bad-version', 'changed']
export const PATCHING: readonly ProblemCode[] = ['bad-operation', 'test-failed']
