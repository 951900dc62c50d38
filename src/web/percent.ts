/** One percent-encoded character of UTF-8, of each length that it can have (RFC 3629, section 4). */
const CHARACTER = new RegExp(
  [
    '%[0-7][0-9a-f]',
    '%(?:c[2-9a-f]|d[0-9a-f])%[89ab][0-9a-f]',
    '%e(?:0%[ab]|d%[89]|[1-9a-cef]%[89ab])[0-9a-f]%[89ab][0-9a-f]',
    '%f(?:0%[9ab]|4%8|[1-3]%[89ab])[0-9a-f](?:%[89ab][0-9a-f]){2}',
  ].join('|'),
  'gi',
)

/**
 * The offset of the first `%` that does not begin a percent-encoded character of UTF-8; null where there is none, and
 * `decodeURIComponent` takes the text. One pass: an error that is thrown costs as much as a thousand characters.
 */
export function malformedPercentAt(text: string): number | null {
  const at = text.replace(CHARACTER, (found) => '.'.repeat(found.length)).indexOf('%')
  return at === -1 ? null : at
}
