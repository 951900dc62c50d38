/** A draft that is kept in memory, with the bytes of its journal, and those of the texts that its steps brought. */
interface Kept {
  readonly draft: { readonly user: string }
  readonly size: number
  readonly texts: number
}

/** Bytes of the steps of all drafts and of the texts that they brought, which are kept in memory. */
const MAX_JOURNALS = 67_108_864

/**
 * Whether a user has room for `more` bytes of steps. The drafts of one user have up to half of what the others leave, so
 * that nobody fills it all.
 */
export function hasRoom(drafts: Iterable<Kept>, user: string, more: number): boolean {
  let [own, others] = [more, 0]
  for (const { draft, size, texts } of drafts)
    if (draft.user === user) own += size + texts
    else others += size + texts
  return own <= (MAX_JOURNALS - others) / 2
}
