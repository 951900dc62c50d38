/** The schemes that a menu may link to; everything else could run code or leave the web. */
export const SAFE_SCHEMES: readonly string[] = ['http', 'https', 'mailto', 'tel', 'sms']

/** Why a URL is refused: it may do harm, or it lacks the scheme or the slash that it surely means. */
export type UrlFault = 'unsafe' | 'no-scheme'

/** Half a surrogate pair is among them: it has no UTF-8, so that no request could name it. */
const CONTROL_OR_SPACE = /[\p{Cc}\p{Cf}\p{Cs}\p{Z}]/u
const SCHEME = /^([a-z][a-z0-9+.-]*):/i

/**
 * Judges a URL of a menu; null means that it is safe. Allowed: http, https (with `//`), mailto, tel, sms; a path that
 * begins with one `/`, with `./` or with `../`; a query; a fragment. Browsers drop control characters and read `\` as
 * `/` (WHATWG URL, section 4.4), so neither is allowed anywhere.
 */
export function judgeUrl(url: string): UrlFault | null {
  if (CONTROL_OR_SPACE.test(url) || url.includes('\\')) return 'unsafe'
  if (/^(\/(?!\/)|\.\.?\/|[?#])/.test(url)) return null
  if (url.startsWith('//')) return 'unsafe'
  const scheme = SCHEME.exec(url)?.[1]?.toLowerCase()
  if (scheme === undefined) return 'no-scheme'
  const rest = url.slice(scheme.length + 1)
  if (scheme === 'http' || scheme === 'https') return /^\/\/[^/?#]/.test(rest) ? null : 'unsafe'
  if (SAFE_SCHEMES.includes(scheme)) return rest === '' ? 'unsafe' : null
  // `example.org:8080/x` has the form of a scheme, and is a host that lacks one.
  return (scheme.includes('.') || scheme === 'localhost') && /^\d+([/?#]|$)/.test(rest)
    ? 'no-scheme'
    : 'unsafe'
}
