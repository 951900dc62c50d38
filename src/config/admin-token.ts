import { done, failed, type Result } from '../model/result.js'

/** The variable of the admin token, which is a secret and no option of a file. */
export const ADMIN_TOKEN = 'MENUSCRIPT_ADMIN_TOKEN'
const MIN_LENGTH = 32

/** The admin token of an environment, or null for none. The fault says what keeps it from being one, and never the text. */
export function readAdminToken(
  environment: Readonly<Record<string, string | undefined>>,
): Result<string | null, string> {
  const token = environment[ADMIN_TOKEN] ?? null
  const what = token === null ? null : judge(token)
  return what === null ? done(token) : failed(`${ADMIN_TOKEN} ${what}`)
}

function judge(token: string): string | null {
  if (token.length < MIN_LENGTH) return `needs ${MIN_LENGTH} characters or more`
  if (/^[\x21-\x7e]+$/.test(token)) return null
  // Secrets that are mounted as variables often end so.
  if (/^[\x21-\x7e]+\s+$/.test(token)) return 'ends with a space or a line break, which no header can carry'
  return 'has characters that no header can carry: spaces, control characters or letters beyond ASCII'
}
