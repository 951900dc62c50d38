import { toVisible } from '../../document/source.js'
import { toLocale } from '../../model/locale.js'
import { escapeHtml } from '../../render/escape.js'

/** Markup: a page, or a part of one. */
export interface Html {
  readonly markup: string
}

/** Data, markup, a list of both, or nothing. */
type Part = string | number | false | null | Html | readonly Part[]

/** Markup from a template. Data in it is text: nothing in it is markup, and no direction mark reaches beyond it. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { markup: strings.map((each, place) => each + toMarkup(parts[place] ?? null)).join('') }
}

function toMarkup(part: Part): string {
  if (part === null || part === false) return ''
  if (typeof part !== 'object') return escapeHtml(toVisible(String(part)))
  return 'markup' in part ? part.markup : part.map(toMarkup).join('')
}

/** Markup of our own, or data that is escaped. */
export function asMarkup(markup: string): Html {
  return { markup }
}

/** A text of a menu, with its own direction, and its language where known. */
export function label(data: string, locale: string | null): Html {
  const tag = locale === null ? null : toLocale(locale)
  return html`<bdi class="label"${tag !== null && html` lang="${tag}"`}>${data}</bdi>`
}

export function code(data: string): Html {
  return html`<code dir="auto">${data}</code>`
}
