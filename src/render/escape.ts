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
 * An attribute with its leading space. True gives an attribute without a value, false none, except for `aria-*` and
 * `data-*`, which say `true` and `false` in words (WAI-ARIA, section 6.2.4).
 */
export function toAttribute(name: string, value: string | boolean | null): string {
  if (typeof value === 'boolean' && /^(aria|data)-/.test(name)) return ` ${name}="${value}"`
  if (value === null || value === false) return ''
  return value === true ? ` ${name}` : ` ${name}="${escapeHtml(value)}"`
}

/**
 * A value as JSON for a `<script>` or for an attribute in single quotes: nothing in it ends the element, the attribute
 * or a line of JavaScript, however the text got there (WHATWG HTML, section 4.12.1.3). Parsed, it is the same value. In
 * double quotes it cannot be: JSON has them itself.
 */
export function toScriptJson(value: unknown): string {
  const unsafe = /['<>&\u2028\u2029]/g
  return JSON.stringify(value).replace(
    unsafe,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
