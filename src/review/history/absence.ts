import { toNearest } from '../../document/did-you-mean.js'
import { readDocument } from '../../document/menu-document.js'
import { claimOf } from '../../document/read/claim.js'
import { toVisible } from '../../document/source.js'
import { isMenuIn } from '../../store/git/commit-tree.js'
import { changedBetween, commitsOf, commitsTouching, parentsOf } from '../../store/git/log.js'
import { toCommit } from '../../store/git/revision.js'
import { refuse } from '../refusal.js'
import type { MenusRepository } from '../site.js'
import { toDay } from './commit-json.js'
import { type Moment, momentNow, momentOf, textsAt, textsBefore, textsWithCode } from './menus-at.js'

/** Says why no menu has a code at a moment: it exists at another one, or under another name. */
export async function refuseAbsent(moment: Moment, code: string, menus: MenusRepository): Promise<never> {
  const { site, revision, commit } = moment
  const { limits } = site.options
  const absent = (rest: string): never =>
    refuse('findings', `there is no menu ${JSON.stringify(code)} ${toWhen(revision)}${rest}`)
  const isIn = async (other: Moment): Promise<boolean> =>
    (await textsWithCode(code, textsAt(other), limits).next()).done !== true
  const head = (await toCommit(menus.repository, 'HEAD')).value
  const last = head === null || head === commit ? null : await momentOf(menus, 'HEAD', head)
  if (last !== null && (await isIn(last))) {
    if (revision === null) return absent(', and there is one in the last commit: show it with --at HEAD')
    return absent(', and there is one in the last commit: leave --at out, or name a later one')
  }
  if (revision !== null && (await isIn(await momentNow(site))))
    return absent(', and there is one in the work tree that is not committed yet')
  const start = commit ?? head
  const loss = start === null ? null : await findLoss(menus, start, code)
  return absent(loss ?? (await toNearestCode(code, moment)))
}

/** At most this many commits are searched for the loss of a menu. */
const MAX_COMMITS = 20

/** In words, how the last commit before `start` that removed a code did so; null for none. */
async function findLoss(
  { site, repository, folder }: MenusRepository,
  start: string,
  code: string,
): Promise<string | null> {
  const { limits, storage } = site.options
  const isMenu = isMenuIn(folder, storage.file_prefix)
  if (!/^[\w.-]+$/.test(code)) return null
  const pattern = `code["']?[ \t]*:[ \t]*["']?${code.replaceAll('.', '\\.')}(["'[:space:],}#]|$)`
  for (const name of await commitsTouching(repository, start, folder, pattern, MAX_COMMITS)) {
    const hows: (string | null)[] = []
    for (const parent of await parentsOf(repository, name)) {
      const changed = (await changedBetween(repository, parent, name)).filter(({ path }) => isMenu(path))
      const { value: lost } = await textsWithCode(code, await textsBefore(repository, changed), limits).next()
      const isDeleted = changed.some(({ path, to }) => path === lost?.path && to === null)
      hows.push(lost === undefined ? null : isDeleted ? 'deleted' : 'given another code')
    }
    // A merge did not remove what one of its lines of history had removed already.
    const [how] = hows.includes(null) ? [] : hows
    const [commit] = how === undefined ? [] : await commitsOf(repository, [name])
    if (commit === undefined) continue
    const { short, author, subject } = commit
    const who = `${short} (${toDay(commit)}, ${toVisible(author)}, “${toVisible(subject)}”)`
    return `: it was ${how} in ${who}. Show it with --at ${short}^`
  }
  return null
}

/** The code that was probably meant, for the end of a sentence. */
export async function toNearestCode(code: string, moment: Moment): Promise<string> {
  const codes = new Set<string>()
  for await (const [, bytes] of textsAt(moment))
    codes.add(claimOf(readDocument('', bytes, moment.site.options.limits))?.code ?? '')
  codes.delete('')
  if (codes.size === 0) return ', nor any other menu'
  const nearest = toNearest(code, codes)
  return nearest === null
    ? `; there are ${[...codes].sort().slice(0, 5).join(', ')}`
    : `; did you mean ${JSON.stringify(nearest)}?`
}

/** A moment at the end of a sentence. */
export function toWhen(revision: string | null): string {
  return revision === null ? 'in the work tree' : `at ${revision}`
}
