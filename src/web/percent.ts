const FOLLOWING = '%[89ab][0-9a-f]'
/** The ways to percent-encode one character of UTF-8 (RFC 3629, section 4). */
const CHARACTER = [
  '%[0-7][0-9a-f]',
  `%(?:c[2-9a-f]|d[0-9a-f])${FOLLOWING}`,
  `%e0%[ab][0-9a-f]${FOLLOWING}`,
  `%e[1-9a-cef](?:${FOLLOWING}){2}`,
  `%ed%[89][0-9a-f]${FOLLOWING}`,
  `%f0%[9ab][0-9a-f](?:${FOLLOWING}){2}`,
  `%f[1-3](?:${FOLLOWING}){3}`,
  `%f4%8[0-9a-f](?:${FOLLOWING}){2}`,
].join('|')
const WELL_FORMED = new RegExp(`^[^%]*(?:(?:${CHARACTER})[^%]*)*`, 'i')

/**
 * The offset of the first `%` that does not begin a percent-encoded character of UTF-8; null where there is none, and
 * `decodeURIComponent` takes the text. One pass: an error that is thrown costs as much as a thousand characters.
 */
export function malformedPercentAt(text: string): number | null {
  const { length } = WELL_FORMED.exec(text)?.[0] ?? ''
  return length === text.length ? null : length
}
