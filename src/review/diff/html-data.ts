import { toVisible } from '../../document/source.js'
import { toLocale } from '../../model/locale.js'
import { escapeHtml } from '../../render/escape.js'

/** Data as text of a page: nothing in it is markup, and no direction mark reaches beyond it. */
export function text(data: string): string {
  return escapeHtml(toVisible(data))
}

/** A text of a menu, with its own direction, and its language where known. */
export function label(data: string, locale: string | null): string {
  const tag = locale === null ? null : toLocale(locale)
  return `<bdi class="label"${tag === null ? '' : ` lang="${escapeHtml(tag)}"`}>${text(data)}</bdi>`
}

export function code(data: string): string {
  return `<code dir="auto">${text(data)}</code>`
}
