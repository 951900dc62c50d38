import type { Config } from '../../config/load-config.js'
import { readDocument } from '../../document/menu-document.js'
import { toNearest } from '../../document/nearest.js'
import { claimOf } from '../../document/read/claim.js'
import { toVisible } from '../../document/source.js'
import { type MenuTexts, readTextsAt } from '../../store/git/menus.js'
import { toCommit } from '../../store/git/revision.js'
import { type Answer, refuse } from '../answer.js'
import type { MenusRepository } from '../menus-repository.js'
import { toDay } from './commit-json.js'
import { findLoss } from './menu-loss.js'
import { type Moment, momentNow, toReach } from './moment.js'

/** Why no menu has a code at a moment: it exists at another one, or under another name. */
export async function toAbsence(
  moment: Moment,
  code: string,
  { repository, folder }: MenusRepository,
): Promise<Answer<never>> {
  const { config, texts, revision, commit } = moment
  const { limits } = config.options
  const absent = (rest: string): Answer<never> =>
    refuse('not-found', `there is no menu ${JSON.stringify(code)} ${toWhen(revision)}${rest}`)
  const hasIt = (other: MenuTexts): boolean =>
    [...other.texts.values()].some((bytes) => claimOf(readDocument('', bytes, limits))?.code === code)
  const head = (await toCommit(repository, 'HEAD')).value
  if (
    head !== null &&
    head !== commit &&
    hasIt(await readTextsAt(repository, head, folder, toReach(config)))
  ) {
    if (revision === null) return absent(', and there is one in the last commit: show it with --at HEAD')
    return absent(', and there is one in the last commit: leave --at out, or name a later one')
  }
  if (revision !== null && hasIt(momentNow(config).texts))
    return absent(', and there is one in the work tree that is not committed yet')
  const start = commit ?? head
  const loss = start === null ? null : await findLoss(repository, start, folder, code, limits)
  if (loss !== null) {
    const { short, author, subject } = loss.commit
    const who = `${short} (${toDay(loss.commit)}, ${toVisible(author)}, “${toVisible(subject)}”)`
    return absent(`: it was ${loss.how} in ${who}. Show it with --at ${short}^`)
  }
  return absent(toNearestCode(code, texts, config))
}

/** The code that was probably meant, for the end of a sentence. */
export function toNearestCode(code: string, { texts }: MenuTexts, { options }: Config): string {
  const codes = new Set(
    [...texts.values()].map((bytes) => claimOf(readDocument('', bytes, options.limits))?.code ?? ''),
  )
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
