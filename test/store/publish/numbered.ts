import { applyOperations } from '../../../src/change/operations/apply.js'
import type { Operation } from '../../../src/change/operations/operation.js'
import { readDocument } from '../../../src/document/menu-document.js'
import type { Edit } from '../../../src/store/publish/plan.js'
import { DEFAULT_LIMITS } from '../../support/limits.js'

/** The menus that are numbered in turn. */
export const PATHS: readonly string[] = ['a.yaml', 'b.yaml', 'deep/c.yaml']
/** After so many numbers the draft is discarded, and another one begins. */
export const ROUND = 20
const ITEMS = 12

/** A menu in which each name is the same number, so that a mix of two texts shows. */
export function numberedText(code: string, number: number): string {
  const items = Array.from(
    { length: ITEMS },
    (_, at) => `  - label: "${number}" # item ${at}\n    url: /${at}\n`,
  )
  return `version: 1\ncode: ${code}\nname: "${number}"\nitems:\n${items.join('')}`
}

export const DRAFTED: { readonly path: string; readonly text: Uint8Array } = {
  path: 'drafted.yaml',
  text: Buffer.from(numberedText('drafted', 0)),
}

/** The operations that give each name of a menu another number. */
export function toNumber(number: number): readonly Operation[] {
  const paths = ['/name', ...Array.from({ length: ITEMS }, (_, at) => `/items/${at}/label`)]
  return paths.map((path) => ({ op: 'replace', path, value: `${number}` }))
}

/** The edit that does so to a text. */
export function numbered(path: string, text: Uint8Array, number: number): Edit {
  const base = readDocument(path, text, DEFAULT_LIMITS)
  const { value: change, fault } = applyOperations(base.value ?? {}, toNumber(number))
  if (fault !== null) throw new Error(fault.reason)
  return { kind: 'change', path, base, change }
}
