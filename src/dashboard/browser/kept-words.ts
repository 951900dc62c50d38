import { isList } from '../../model/json.js'
import { make } from './make.js'

/** What somebody typed into the form of an item, which outlives the tab until it is saved. */
interface KeptWords {
  /** The address of the form, and what its item was. */
  readonly at: string
  readonly was: string
  readonly fields: readonly (readonly [name: string, value: string])[]
}

const PREFIX = 'menuscript words '
/** Characters that are kept: more than anyone types into a form of an item. */
const MOST = 50_000

/** Keeps the words of the form of an item while they are typed, and forgets them with the form, a discarded draft or a session. */
export function keepWords(): void {
  document.addEventListener('input', ({ target }) => {
    const form = (target as Element).closest<HTMLFormElement>('.item-form')
    if (form !== null) write(form)
  })
  addEventListener('submit', ({ target, submitter, defaultPrevented }) => {
    const form = target as HTMLFormElement
    const deed = submitter?.getAttribute('value')
    if (/\/sign-out$/.test(form.action)) forgetWords('')
    else if (deed === 'discard' || (!defaultPrevented && form.matches('.item-form'))) forgetWords()
  })
}

/** Forgets the words of this file, or of all. */
export function forgetWords(name: string = nameOf()): void {
  try {
    const all = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX))
    for (const key of all) if (name === '' || key === name) localStorage.removeItem(key)
  } catch {
    // Storage is forbidden, so nothing is there.
  }
}

/** Offers words that were not saved: in the form that they were typed into, else on the page of the menu. */
export function offerWords(root: ParentNode): void {
  const kept = read()
  const words = document.querySelector<HTMLTemplateElement>('template#troubles')?.dataset
  const form = root.querySelector<HTMLFormElement>('.item-form')
  if (kept === null || words === undefined) return
  const note = make('p', { className: 'note' })
  const text = `${words['restore'] ?? ''} `
  const textContent = words['restoreButton'] ?? ''
  if (form === null) {
    note.append(text, make('a', { href: kept.at, textContent }))
    root.querySelector('.tree')?.before(note)
    return
  }
  if (addressOf(form) !== kept.at || wasOf(form) !== kept.was) return
  const button = make('button', { type: 'button', textContent })
  const putBack = (): void => {
    for (const field of form.querySelectorAll<HTMLInputElement>(FIELDS)) {
      const values = kept.fields.flatMap(([name, value]) => (name === field.name ? [value] : []))
      if (field.type === 'radio' || field.type === 'checkbox') field.checked = values.includes(field.value)
      else field.value = values[0] ?? field.value
    }
  }
  button.addEventListener('click', () => {
    const route = form.querySelector<HTMLInputElement>('#route')
    const before = route?.value
    putBack()
    // Another page has other parameters, whose fields come later.
    const around = form.querySelector('.of-route')
    const observer = new MutationObserver(() => {
      observer.disconnect()
      putBack()
    })
    if (around && route?.value !== before) observer.observe(around, { childList: true })
    route?.dispatchEvent(new Event('change'))
    note.remove()
    form.querySelector<HTMLInputElement>('[name^="label:"]')?.focus()
  })
  note.append(text, button)
  form.prepend(note)
}

/** Fields that people fill in. No form of an item has a password. */
const FIELDS = 'textarea, input:not([type=hidden], [type=password], [type=datetime-local])'

function write(form: HTMLFormElement): void {
  const fields = [...form.querySelectorAll<HTMLInputElement>(FIELDS)]
    .filter(({ type, checked }) => (type !== 'radio' && type !== 'checkbox') || checked)
    .map(({ name, value }) => [name, value] as const)
  const text = JSON.stringify({ at: addressOf(form), was: wasOf(form), fields })
  try {
    if (text.length <= MOST) localStorage.setItem(nameOf(), text)
  } catch {
    // Storage that is full or forbidden: the form itself still has the words.
  }
}

function read(): KeptWords | null {
  try {
    const kept: KeptWords | null = JSON.parse(localStorage.getItem(nameOf()) ?? 'null')
    return typeof kept?.at === 'string' && isList(kept.fields) ? kept : null
  } catch {
    return null
  }
}

/** Words are of a user and a file. */
function nameOf(): string {
  const user = document.querySelector<HTMLTemplateElement>('template#troubles')?.dataset['user']
  return PREFIX + JSON.stringify([user, new URL(location.href).searchParams.get('file')])
}

function addressOf({ action }: HTMLFormElement): string {
  const { pathname, search } = new URL(action)
  return pathname + search
}

function wasOf(form: HTMLFormElement): string {
  return form.querySelector<HTMLInputElement>('[name=was]')?.value ?? ''
}
