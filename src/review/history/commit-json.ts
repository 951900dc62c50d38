import type { Commit } from '../../store/git/log.js'

/** A commit in reports. */
export interface CommitJson {
  readonly commit: string
  readonly short: string
  readonly author: { readonly name: string; readonly email: string }
  /** ISO 8601, in the author's zone. */
  readonly date: string
  readonly subject: string
}

export function toCommitJson({ name, short, author, email, date, subject }: Commit): CommitJson {
  return { commit: name, short, author: { name: author, email }, date, subject }
}

/** The day in the author's zone. */
export function toDay({ date }: Pick<Commit, 'date'>): string {
  return date.slice(0, 10)
}
