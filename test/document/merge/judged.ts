import { parse } from 'yaml'
import { type Branching, countComments, toText } from './keyed-menus.js'
import { judge, ownersIn, toVersion } from './oracle.js'

/** The texts of a branching. */
export interface BranchTexts {
  readonly base: string
  readonly mine: string
  readonly theirs: string
}

/** What a merge of them gave: the text in which that side was kept of every conflict. */
export interface Result {
  readonly isClean: boolean
  readonly mine: string
  readonly theirs: string
}

export function textsOf({ style, ...menus }: Branching): BranchTexts {
  return {
    base: toText(menus.base, style),
    mine: toText(menus.mine, style),
    theirs: toText(menus.theirs, style),
  }
}

/** What is wrong with the merge of two branches: with who was asked, with the items, and with their comments. */
export function faultsOf(branching: Branching, result: Result): readonly string[] {
  const { must, may, faults, survives } = judge(branching)
  const found: string[] = []
  if (result.isClean && must.length > 0) found.push(`nobody was asked: ${must.join('; ')}`)
  if (!result.isClean && must.length + may.length === 0) found.push('somebody was asked for no reason')
  const owners = ownersIn([branching.base, branching.mine, branching.theirs])
  const { base, mine, theirs } = textsOf(branching)
  const [before, here, there] = [base, mine, theirs].map(countComments)
  for (const side of result.isClean ? (['mine'] as const) : (['mine', 'theirs'] as const)) {
    const items = toVersion(parse(result[side]))
    found.push(...faults(items, side).map((fault) => `keeping ${side}: ${fault}`))
    const counts = countComments(result[side])
    for (const [comment, owner] of owners) {
      const times = counts.get(comment) ?? 0
      // What both sides added under different parents is there twice.
      const isTwice = [...items.keys()].some((key) => key.endsWith(' again'))
      const isKept = before?.has(comment) ? here?.has(comment) && there?.has(comment) : true
      const isWritten = here?.has(comment) || there?.has(comment)
      if (times > 1 && !isTwice) found.push(`keeping ${side}: # ${comment} is there ${times} times`)
      if (times === 0 && isKept && isWritten && (owner === '' || survives(owner, side)))
        found.push(`keeping ${side}: # ${comment} is lost`)
    }
  }
  return found
}

/** How a failed merge is told. */
export function storyOf(branching: Branching, result: Result, faults: readonly string[]): string {
  const { base, mine, theirs } = textsOf(branching)
  const parts = {
    base,
    mine,
    theirs,
    'merged, keeping mine': result.mine,
    'merged, keeping theirs': result.theirs,
  }
  return [...faults, ...Object.entries(parts).map(([name, text]) => `--- ${name}\n${text}`)].join('\n')
}
