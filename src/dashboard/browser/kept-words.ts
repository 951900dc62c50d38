import { fill } from '../../change/fill.js'
import { isList } from '../../model/json.js'
import { make } from './make.js'
import { lang } from './page-language.js'

/** What somebody typed into the form of an item or the table of texts, which outlives the tab until it is saved. */
interface KeptWords {
  /** The address of the form, and what it is about. */
  readonly at: string
  readonly about: string
  readonly fields: readonly KeptField[]
}

/** What a field holds, and what it held when it came: words, or whether its `option` is chosen. `was` identifies its item, as it was. */
interface KeptField {
  readonly name: string
  readonly option: string
  readonly now: string | boolean
  readonly before: string | boolean
  readonly was: string
}

const PREFIX = 'menuscript words '
/** The copy that a page is to restore at once. */
const WANTED = 'menuscript wanted'
/** Each page has a copy of its own, so that none takes the place of one that is still offered. */
const PAGE = Math.random()
/** Characters that are kept: more than anyone types into a form of an item. */
const MOST = 50_000

/** The forms whose words are kept: they say what each item was. */
const FORMS = ':is(.item-form, form:has([name^="key:"]))'
/** Fields that people fill in. None of these forms has a password. */
const FIELDS = 'textarea, input:not([type=hidden], [type=password])'

/** Keeps words while they are typed, and forgets them with the form or a session. Ctrl+S saves them. */
export function keepWords(): void {
  // What is chosen from a list is no input.
  for (const name of ['input', 'change'])
    document.addEventListener(name, ({ target }) => {
      const form = formOf(target)
      if (form !== null) write(form)
    })
  document.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event
    const form = formOf(target)
    if (form === null || key.toLowerCase() !== 's' || !(ctrlKey || metaKey) || altKey || shiftKey) return
    event.preventDefault()
    form.requestSubmit(form.querySelector<HTMLElement>('button:not([name], [type=button])'))
  })
  addEventListener('submit', ({ target, defaultPrevented }) => {
    const form = target as HTMLFormElement
    if (/\/sign-out$/.test(form.action)) forgetWords(PREFIX)
    else if (!defaultPrevented && form.matches(FORMS)) forgetWords()
  })
}

/** Forgets the copies whose names begin so. Default: that of this page. */
export function forgetWords(prefix: string = prefixOf() + PAGE): void {
  for (const name of namesOf(prefix)) localStorage.removeItem(name)
}

/** Offers words that were not saved: in the form that they were typed into, else on the page of the menu. */
export function offerWords(root: ParentNode): void {
  const words = document.querySelector<HTMLTemplateElement>('template#troubles')?.dataset
  if (words === undefined) return
  const form = root.querySelector<HTMLFormElement>(FORMS)
  for (const name of namesOf(prefixOf())) {
    const kept = read(name)
    if (kept === null || name.endsWith(` ${PAGE}`)) continue
    const { about: item } = kept
    const isWanted = sessionStorage.getItem(WANTED) === name
    const textContent = fill(words['restore'] ?? '', { name: item })
    const note = make('div', { className: 'note kept' })
    note.dataset['name'] = name
    const dismiss = make('button', { type: 'button', textContent: words['dismiss'] ?? '' })
    dismiss.addEventListener('click', () => {
      forgetWords(name)
      note.remove()
    })
    if (form === null) {
      // Wherever the item is by then.
      const link = make('a', { href: `${kept.at}&was=${kept.fields[0]?.was}`, textContent })
      link.addEventListener('click', () => sessionStorage.setItem(WANTED, name))
      note.append(link, ' ', dismiss)
      root.querySelector('.tree-sheet ~ .dock')?.prepend(note)
    } else if (matching(form, kept, isWanted).length > 0) {
      const restore = (): void => {
        putBack(form, kept, isWanted)
        forgetWords(name)
        // Here, and on the page of the menu beside the form.
        for (const each of document.querySelectorAll<HTMLElement>('.kept'))
          if (each.dataset['name'] === name) each.remove()
      }
      if (isWanted) {
        sessionStorage.removeItem(WANTED)
        restore()
        continue
      }
      const button = make('button', { type: 'button', textContent })
      button.addEventListener('click', restore)
      note.append(words['left'] ?? '', ' ', button, ' ', dismiss)
      form.prepend(note)
    } else if (isWanted) {
      // The item is gone, or has changed too much: the words are there to copy.
      const typed = kept.fields.flatMap(({ now, before }) =>
        now === before || typeof now === 'boolean' ? [] : [now],
      )
      note.append(words['left'] ?? '', ' ', typed.join(' · '), ' ', dismiss)
      form.prepend(note)
    }
  }
}

/**
 * The fields of a form that get something back: those whose item is as it was, else those in which somebody typed or chose
 * something. `isWanted`: the form was opened for it.
 */
function matching(form: HTMLFormElement, { at, fields, about }: KeptWords, isWanted: boolean) {
  const isHere = addressOf(form) === at
  const isSameItem = (isWanted || isHere) && form.matches('.item-form') && about === aboutOf(form)
  return [...form.querySelectorAll<HTMLInputElement>(FIELDS)].flatMap((field) => {
    const { name, option } = keptFieldOf(field)
    const kept = fields.find((each) => each.name === name && each.option === option)
    if (kept === undefined) return []
    const isSame = kept.was === wasOf(field) && (isHere || kept.was)
    return isSame || (isSameItem && kept.now !== kept.before) ? [{ field, kept }] : []
  })
}

function putBack(form: HTMLFormElement, kept: KeptWords, isWanted: boolean): void {
  const put = (): void => {
    for (const {
      field,
      kept: { now, before },
    } of matching(form, kept, isWanted)) {
      const part = field.closest('details')
      if (part && now !== before) part.open = true
      if (typeof now === 'boolean') field.checked = now
      else field.value = now
      if (!field.name) field.dispatchEvent(new Event('input'))
    }
  }
  const route = form.querySelector<HTMLInputElement>('#route')
  const before = route?.value
  put()
  // Another page has other parameters, whose fields come later.
  const around = form.querySelector('.of-page')
  const observer = new MutationObserver(() => {
    observer.disconnect()
    put()
  })
  if (around && route?.value !== before) observer.observe(around, { childList: true })
  route?.dispatchEvent(new Event('change'))
  // They are kept from now on, and counted.
  form.dispatchEvent(new Event('input', { bubbles: true }))
  matching(form, kept, isWanted)
    .find(({ field, kept: { now } }) => typeof now === 'string' && field.offsetParent)
    ?.field.focus()
}

function write(form: HTMLFormElement): void {
  const isTable = !form.matches('.item-form')
  const fields = [...form.querySelectorAll<HTMLInputElement>(FIELDS)]
    .map(keptFieldOf)
    // All that a form of an item has belongs together.
    .filter(({ now, before }) => !isTable || now !== before)
  const text = JSON.stringify({ at: addressOf(form), about: aboutOf(form), fields })
  try {
    if (text.length <= MOST) localStorage.setItem(prefixOf() + PAGE, text)
  } catch {
    // Storage that is full or forbidden: the form itself still has the words.
  }
}

function read(name: string): KeptWords | null {
  const kept: KeptWords | null = JSON.parse(localStorage.getItem(name) ?? 'null')
  return typeof kept?.about === 'string' && isList(kept.fields) ? kept : null
}

/** The names of copies that begin so; none where storage is forbidden. */
function namesOf(prefix: string): readonly string[] {
  try {
    return Object.keys(localStorage).filter((name) => name.startsWith(prefix))
  } catch {
    return []
  }
}

/** Words are of a user and a file. */
function prefixOf(): string {
  const user = document.querySelector<HTMLTemplateElement>('template#troubles')?.dataset['user']
  return `${PREFIX}${JSON.stringify([user, new URL(location.href).searchParams.get('file')])} `
}

function formOf(target: EventTarget | null): HTMLFormElement | null {
  return (target as Element).closest<HTMLFormElement>(FORMS)
}

function addressOf({ action }: HTMLFormElement): string {
  const { pathname, search } = new URL(action)
  return pathname + search
}

/** What a form is about, as people call it. */
function aboutOf(form: HTMLFormElement): string {
  const own = `[name="label:${lang}"]`
  const labels = [own, '[name^="label:"]'].flatMap((each) => [
    ...form.querySelectorAll<HTMLInputElement>(each),
  ])
  const title = form.parentElement?.querySelector('#panel-title, h1')?.textContent?.trim()
  return labels.map(({ value, defaultValue }) => defaultValue || value).find(Boolean) ?? title ?? ''
}

function keptFieldOf(field: HTMLInputElement): KeptField {
  const { type, value, defaultValue, checked, defaultChecked } = field
  // The picker of a time has no name: what is sent is beside it.
  const name = field.name || field.id
  const was = wasOf(field)
  return type === 'radio' || type === 'checkbox'
    ? { name, option: value, now: checked, before: defaultChecked, was }
    : { name, option: '', now: value, before: defaultValue, was }
}

function wasOf(field: HTMLInputElement): string {
  const around = field.closest('tr') ?? field.form
  return around?.querySelector<HTMLInputElement>('[name=was], [name^="key:"]')?.value ?? ''
}
