import { parse } from 'yaml'
import type { Change } from '../../../src/change/change.js'
import { writeChange } from '../../../src/document/edit/write-change.js'
import { type MenuDocument, readDocument } from '../../../src/document/menu-document.js'
import { isEqual, type Json } from '../../../src/model/json.js'
import { changeBetween } from '../../change/between.js'
import { DEFAULT_LIMITS } from '../../support/limits.js'

/** The document of a text. */
export function documentOf(text: string): MenuDocument {
  return readDocument('menu.yaml', Buffer.from(text), DEFAULT_LIMITS)
}

/** What a text says, by a reader that is not ours. */
export function meaningOf(text: string): Json {
  return parse(text, { logLevel: 'error' })
}

/** Whether the text of a file says something, and can be edited. */
export function says(text: string, value: Json): boolean {
  // Half a character has no bytes.
  if (Buffer.from(text).toString() !== text) return false
  try {
    return isEqual(meaningOf(text), value) && typeof documentOf(text).layout() !== 'string'
  } catch {
    return false
  }
}

/** The text after an edit that has to be possible, by hand: which item is which is to be found out. */
export function edit(text: string, after: Json): string {
  return write(text, changeBetween(meaningOf(text), after))
}

/** The text after a change that has to be possible. */
export function write(text: string, change: Change): string {
  const { value, fault } = writeChange(documentOf(text), change)
  if (fault !== null) throw new Error(fault)
  return value.mark + value.text
}
