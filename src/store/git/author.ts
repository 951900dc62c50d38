import type { Repository } from './repository.js'

/** Who makes a commit, as its author and its committer. */
export interface Author {
  readonly name: string
  /**
   * Null becomes `NAME@menuscript.invalid`, a reserved domain (RFC 2606). Not git's `user.email`: every
   * operator would sign with the address of the administrator.
   */
  readonly email: string | null
}

/** Characters of a name and an address. */
const MAX_NAME = 200

/** The author in git's configuration, or a generic one. */
export async function ownAuthor(repository: Repository): Promise<Author> {
  const [name, email] = await Promise.all(
    ['user.name', 'user.email'].map(async (key) => {
      const { code, stdout } = await repository.run(['config', '--get', key])
      return code === 0 ? stdout.toString().trim() : ''
    }),
  )
  return { name: name || 'local', email: email || null }
}

/** The variables by which git knows an author, and who commits for them. */
export function toVariables(author: Author, committer: Author = author): Readonly<Record<string, string>> {
  const [by, from] = [toIdentity(author), toIdentity(committer)]
  return {
    GIT_AUTHOR_NAME: by.name,
    GIT_AUTHOR_EMAIL: by.email,
    GIT_COMMITTER_NAME: from.name,
    GIT_COMMITTER_EMAIL: from.email,
  }
}

/** A name and an address as git takes them: it refuses those of nothing but punctuation. */
function toIdentity({ name, email }: Author): Author & { readonly email: string } {
  const clean = (text: string): string =>
    text
      .replace(/[\p{Cc}\s<>]+/gu, ' ')
      .trim()
      .slice(0, MAX_NAME)
  const isName = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)
  const shown = isName(clean(name)) ? clean(name) : 'unknown'
  const own = shown.normalize('NFKD').replace(/\p{M}/gu, '').match(/\w+/g)
  const given = clean(email ?? '')
  return { name: shown, email: isName(given) ? given : `${own?.join('-') ?? 'unknown'}@menuscript.invalid` }
}
