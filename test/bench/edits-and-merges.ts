// Prints what an edit and a merge of a menu of 2,000 items take, in processor time beside that of reading it once:
// node --import tsx test/bench/edits-and-merges.ts

import { applyOperations } from '../../src/change/operations/apply.js'
import { writeChange } from '../../src/document/edit/write-change.js'
import { type MenuDocument, readDocument } from '../../src/document/menu-document.js'
import { mergeDocuments } from '../../src/document/merge/merge-documents.js'
import { mergeTexts } from '../../src/store/git/merge.js'
import { DEFAULT_LIMITS } from '../support/limits.js'
import { openReport } from './report.js'
import { compareLegs, timeOf } from './rounds.js'

let reads = 0

function documentOf(text: string): MenuDocument {
  return readDocument('menu.yaml', Buffer.from(text), DEFAULT_LIMITS, () => reads++)
}

/** A menu of a hundred sections with nineteen links each. */
function menuText(toLink: (number: string) => string): string {
  const sections = Array.from({ length: 100 }, (_, section) => {
    const links = Array.from({ length: 19 }, (__, link) => toLink(`${section}.${link}`))
    return `  - type: section\n    label: S${section}\n    children:\n${links.join('')}`
  })
  return `version: 1\ncode: large\nname: Large\nitems:\n${sections.join('')}`
}

function linkOf(label: string, url: string): (number: string) => string {
  return (number) =>
    `      # about ${number}\n      - label: { en: ${label} ${number}, es: X }\n        url: /${url}/${number}\n`
}

const ROUNDS = 3
const report = openReport('edits-and-merges', ROUNDS)

/** Prints what something costs beside reading the menu, and how many texts it reads. */
async function measure(name: string, what: string, run: () => unknown): Promise<void> {
  const compared = await compareLegs(
    () => timeOf(run),
    () => timeOf(() => documentOf(base)),
    ROUNDS,
  )
  reads = 0
  await run()
  report({ name, what: `${what}; reads ${reads} texts`, goal: null, unit: 'ms', ...compared })
}

const base = menuText(linkOf('Old', 'old'))
const held = documentOf(base)
held.layout()
const relabelled = applyOperations(held.value, [{ op: 'replace', path: '/items/50/label', value: 'New' }])
if (relabelled.fault !== null) throw new Error(relabelled.fault.reason)
const change = relabelled.value

await measure('edit', 'an edit of a document that is held', () => writeChange(held, change))

const pairs = {
  merge: ['a merge of items that both sides changed in different fields', 'new', 'Old'],
  'merge-conflicts': ['a merge of items that both sides changed alike and in conflict', 'new', 'Their'],
} as const
for (const [name, [what, url, label]] of Object.entries(pairs)) {
  const mine = menuText(linkOf('New', 'old'))
  const theirs = menuText(linkOf(label, url))
  await measure(name, what, async () => {
    const documents = { base: documentOf(base), mine: documentOf(mine), theirs: documentOf(theirs) }
    const { value, fault } = await mergeDocuments(documents, null, mergeTexts)
    const kept = fault === null ? value.keeping('theirs') : null
    if (kept?.fault !== null) throw new Error(fault ?? kept?.fault ?? '')
    if (value !== null && value.merged.conflicts.length > 0 && kept.value === value.mine) throw new Error('')
  })
}
