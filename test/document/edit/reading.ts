import type { Json } from '../../../src/change/json.js'
import { editMenuText } from '../../../src/document/edit/edit-menu.js'
import { readLayout } from '../../../src/document/edit/read-layout.js'

/** What a text says. */
export function meaningOf(text: string): Json {
  const { layout, fault } = readLayout(text.replace(/^\ufeff/, '').replace(/(?<!\n)$/, '\n'))
  if (layout === null) throw new Error(fault)
  return layout.value
}

/** The text after an edit that has to be possible. */
export function edit(text: string, after: Json): string {
  const edited = editMenuText(text, after)
  if (edited.fault !== null) throw new Error(edited.fault)
  return edited.text
}
