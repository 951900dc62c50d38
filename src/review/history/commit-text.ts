import { toVisible } from '../../document/source.js'
import type { Commit } from '../../store/git/log.js'

/** A commit in JSON. */
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
export function toDay({ date }: Commit): string {
  return date.slice(0, 10)
}

/** Pads texts to the width of the widest, or cuts them to a limit. Characters count, not what they are made of. */
export function toColumn(texts: readonly string[], limit: number): readonly string[] {
  const cut = texts.map((text) => {
    const characters = [...toVisible(text)]
    return characters.length > limit ? `${characters.slice(0, limit - 1).join('')}…` : characters.join('')
  })
  const width = Math.max(0, ...cut.map((text) => [...text].length))
  return cut.map((text) => text + ' '.repeat(width - [...text].length))
}
