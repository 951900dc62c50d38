const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text for HTML content and for quoted attribute values (WHATWG HTML, section 13.3). */
export function escapeHtml(text: string): string {
  return /[&<>"']/.test(text)
    ? text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character)
    : text
}

/**
 * An attribute with its leading blank. True is an attribute without a value and false is none, but for `aria-*` and
 * `data-*`, which say `true` and `false` in words (WAI-ARIA, section 6.2.4).
 */
export function toAttribute(name: string, value: string | boolean | null): string {
  if (typeof value === 'boolean' && /^(aria|data)-/.test(name)) return ` ${name}="${value}"`
  if (value === null || value === false) return ''
  return value === true ? ` ${name}` : ` ${name}="${escapeHtml(value)}"`
}
