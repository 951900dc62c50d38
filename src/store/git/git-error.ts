/** A repository that is damaged, or lacks required content: no caller can foresee that. */
export class GitError extends Error {}
