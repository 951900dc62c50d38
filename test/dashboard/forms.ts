import type { HttpAnswer } from '../support/http.js'
import { type Fields, HOME, type Visitor } from './visiting.js'

/** The fields of the form of a page that has a field of this name, as a browser would send them. */
export function fieldsOf({ text }: HttpAnswer, having: string): Record<string, string> {
  const form = text.split('<form').find((each) => each.includes(`name="${having}"`))
  const inside = form?.slice(0, form.indexOf('</form>')) ?? ''
  const fields: Record<string, string> = {}
  for (const [tag] of inside.matchAll(/<input\b[^>]*>/g)) {
    const isChoice = /type="(?:radio|checkbox)"/.test(tag)
    if (!isChoice || / checked/.test(tag)) fields[attribute(tag, 'name')] = attribute(tag, 'value')
  }
  for (const [, tag = '', value = ''] of inside.matchAll(/<textarea\b([^>]*)>([^<]*)/g))
    fields[attribute(tag, 'name')] = decoded(value)
  for (const [, tag = '', options = ''] of inside.matchAll(/<select\b([^>]*)>(.*?)<\/select>/gs)) {
    const chosen = /<option value="([^"]*)" selected/.exec(options)?.[1]
    fields[attribute(tag, 'name')] = decoded(chosen ?? '')
  }
  return fields
}

function attribute(tag: string, name: string): string {
  return decoded(new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '')
}

function decoded(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

/** An operator at the editor of a file, without JavaScript: what they do is sent as the forms of the pages are. */
export interface EditorForms {
  readonly address: (page: string, more?: Fields) => string
  readonly page: (more?: Fields) => Promise<HttpAnswer>
  /** Presses a button of the row of an item, or of the page. */
  readonly press: (kind: string, item?: string) => Promise<HttpAnswer>
  /** Sends the form of an item; with `where`, of a new one beside or inside it. */
  readonly fill: (
    item: string,
    fields: Fields,
    where?: 'before' | 'after' | 'inside' | null,
  ) => Promise<HttpAnswer>
  readonly place: (item: string, parent: string, position?: string) => Promise<HttpAnswer>
  readonly settings: (fields: Fields) => Promise<HttpAnswer>
  readonly review: (kind: string, fields?: Fields) => Promise<HttpAnswer>
}

export function editorOf({ look, send }: Visitor, file: string = 'main.yaml'): EditorForms {
  const address = (page: string, more: Fields = {}): string =>
    `${HOME}/${page}?${new URLSearchParams({ file, ...more })}`
  const submit = async (path: string, having: string, fields: Fields): Promise<HttpAnswer> =>
    send(path, { ...fieldsOf(await look(path), having), ...fields })
  return {
    address,
    page: (more = {}) => look(address('edit', more)),
    press: (kind, item = '') =>
      item === ''
        ? submit(address('edit'), 'state', { do: kind })
        : submit(address('edit', { open: item }), 'item', { do: kind }),
    fill: (item, fields, where = null) =>
      submit(address('item', { item, ...(where !== null && { new: where }) }), 'was', fields),
    place: (item, parent, position = '') => submit(address('place', { item }), 'place', { parent, position }),
    settings: (fields) => submit(address('settings'), 'was', fields),
    review: (kind, fields = {}) => submit(address('review'), 'state', { do: kind, ...fields }),
  }
}

/** Where an answer leads, with what it says of the step; the page itself where it does not lead on. */
export function wayOf({ status, headers }: HttpAnswer): string {
  const { searchParams } = new URL(headers['location'] ?? '/', 'http://x')
  searchParams.delete('file')
  return status === 303 ? decodeURIComponent(searchParams.toString()) : String(status)
}
