/** What the names of all branches of proposals begin with. */
export const PROPOSALS = 'menus/'

/** Characters of a part of a name. */
const MAX_PART = 40

/**
 * A part of the name of a branch: small ASCII letters, digits and single hyphens, so that git and every host accepts it
 * (git-check-ref-format). A text without any of them becomes `otherwise`.
 */
export function toBranchPart(text: string, otherwise: string): string {
  const ascii = text
    .slice(0, MAX_PART * 4)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
  const part = ascii
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, MAX_PART)
    .replace(/-$/, '')
  return part === '' ? otherwise : part
}

/** A name for the branch of a proposal, numbered where it is taken. */
export function toBranchName(user: string, title: string, isTaken: (branch: string) => boolean): string {
  const name = `${PROPOSALS}${toBranchPart(user, 'user')}/${toBranchPart(title, 'proposal')}`
  let free = name
  for (let number = 2; isTaken(free); number++) free = `${name}-${number}`
  return free
}
