import { isMap } from '../../model/json.js'
import type { LiveRegion } from './live-region.js'
import type { FormTroubles } from './page-data.js'

/** Fields in which somebody types. */
export const TYPED = 'textarea, input:not([type=hidden], [type=radio], [type=checkbox])'
/** Milliseconds after which the server counts as gone. */
const PATIENCE = 10_000

/**
 * Asks the server whether it takes a form before sending what was typed into it. If it does not, the text stays and the page
 * says why. After a new sign-in, the form is sent with the token of the new session.
 */
export function sendCarefully(home: string, toRegion: () => LiveRegion): void {
  const template = document.querySelector<HTMLTemplateElement>('template#troubles')
  if (template === null) return
  const { content, dataset } = template
  let waiting: HTMLFormElement | null = null
  document.addEventListener('submit', async (event) => {
    const form = event.target as HTMLFormElement
    if (event.defaultPrevented || form.method !== 'post' || form.querySelector(TYPED) === null) return
    if (form === waiting) {
      waiting = null
      return
    }
    event.preventDefault()
    if (waiting !== null) return
    waiting = form
    const region = toRegion()
    const { submitter } = event
    // A file that cannot be read is for the browser to report.
    const isLarge = (await sizeOf(form).catch(() => 0)) > Number(dataset['limit'])
    const trouble = isLarge ? 'tooLarge' : await findTrouble(home, dataset['user'])
    if (trouble === null) {
      region.hold(null)
      return form.requestSubmit(submitter)
    }
    waiting = null
    const { textContent: text = null } = content.querySelector(`.${trouble}`) ?? {}
    const link = content.querySelector('a')
    const isSignIn = trouble === 'signedOut' || trouble === 'otherUser'
    region.hold(text, link !== null && isSignIn ? { text: link.text, href: link.href } : undefined)
  })
}

/** Bytes of what a form sends, as it is encoded (WHATWG HTML, section 4.10.21.5). */
async function sizeOf(form: HTMLFormElement): Promise<number> {
  const data = new FormData(form)
  const lines = [...data].map(([name, value]) => [name, String(value).replaceAll('\n', '\r\n')])
  const body = form.enctype === 'multipart/form-data' ? data : new URLSearchParams(lines)
  return (await new Response(body).blob()).size
}

/** Why a form would be lost; null where it would not. */
async function findTrouble(home: string, user: string | undefined): Promise<keyof FormTroubles | null> {
  try {
    const response = await fetch(`${home}/api/session`, { signal: AbortSignal.timeout(PATIENCE) })
    if (response.status === 401) return 'signedOut'
    const session: unknown = response.ok && (await response.json())
    if (!isMap(session)) return 'unreachable'
    if (session['user'] !== user) return 'otherUser'
    if (session['role'] === 'view') return 'role'
    if (session['writable'] !== true) return 'storage'
    for (const field of document.querySelectorAll<HTMLInputElement>('input[name=csrf]'))
      field.value = String(session['csrf'] ?? '')
    return null
  } catch {
    return 'unreachable'
  }
}
