import { fill } from '../../change/fill.js'
import { judgeUrl } from '../../model/url.js'
import { startIconPicker } from './icon-picker.js'
import { offerWords } from './kept-words.js'
import { make } from './make.js'
import { startPagePicker } from './page-picker.js'
import { offerTimes } from './times.js'

/**
 * Helps with the forms of items and menus in the page, or in what was put into it: offers pages and icons, judges an address
 * while it is typed, and copies texts of other languages.
 */
export function startPickers(home: string, root: ParentNode = document): void {
  const find = (selector: string) => root.querySelector<HTMLInputElement>(selector)
  const [icon, route, url] = [find('#icon[data-shown]'), find('.item-form #route'), find('.item-form #url')]
  if (icon !== null) startIconPicker(icon, home)
  if (route !== null) startPagePicker(route, home)
  if (url !== null) judgeTyped(url)
  for (const time of root.querySelectorAll<HTMLInputElement>('[data-zone]')) offerTimes(time)
  for (const pair of root.querySelectorAll<HTMLElement>('.pair')) offerValues(pair)
  for (const button of root.querySelectorAll<HTMLButtonElement>('[data-from]')) offerCopy(button)
  for (const list of root.querySelectorAll<HTMLElement>('[data-find]')) offerSearch(list)
  for (const type of root.querySelectorAll('.item-form [name=type]'))
    type.addEventListener('change', chooseShown)
  for (const choice of root.querySelectorAll('.item-form :is([name=to], [name=who])'))
    choice.addEventListener('change', showOpened)
  offerWords(root)
}

/** Brings what a choice opened into view; who clicked goes on in the field of the page, who used the keys may choose on. */
function showOpened({ target }: Event): void {
  const choice = target as HTMLInputElement
  hideSettled()
  const { form, name, value } = choice
  const opened = form?.querySelector(name === 'who' ? '.of-some' : `.of-${value}`)
  if (value === 'route' && !choice.matches(':focus-visible'))
    opened?.querySelector('input')?.focus({ preventScroll: true })
  opened?.scrollIntoView({ block: 'nearest' })
}

/** Hides the errors of fields that what is chosen now has no use for. */
function hideSettled(): void {
  for (const alert of document.querySelectorAll<HTMLElement>('[role=alert]:has(li)')) {
    const errors = [...alert.querySelectorAll('li')]
    for (const error of errors) {
      const link = error.querySelector('a')
      error.hidden = link !== null && !document.getElementById(link.hash.slice(1))?.offsetParent
    }
    alert.hidden = errors.every(({ hidden }) => hidden)
  }
}

/** A section leads nowhere unless a page is chosen for it, and a link to the first that it can; a new link has its label below. */
function chooseShown({ target }: Event): void {
  const { value, form } = target as HTMLInputElement
  const all = [...(form?.querySelectorAll<HTMLInputElement>('[name=to]') ?? [])]
  const shown = all.filter(({ offsetParent }) => offsetParent !== null)
  const isSection = value === 'section'
  const [labels, leads] = ['.labels', '.leads-to'].map((part) => form?.querySelector(part))
  if (form?.matches('.page-first') && labels && leads) labels[isSection ? 'after' : 'before'](leads)
  const isFree = form?.querySelector<HTMLInputElement>('#route')?.value === ''
  const wanted = shown.at(isSection ? -1 : 0)
  if (wanted && ((isSection && isFree) || !shown.some(({ checked }) => checked))) wanted.checked = true
  hideSettled()
}

/** Milliseconds without a key after which an address counts as typed. */
const PAUSE_MS = 600

/** Says what the server would say of an address, once its typing pauses. */
function judgeTyped(field: HTMLInputElement): void {
  const note = field.closest('form')?.querySelector<HTMLElement>('#url-verdict')
  if (!note) return
  field.setAttribute('aria-describedby', `${field.getAttribute('aria-describedby')} ${note.id}`)
  // What the server said of it stands above the field.
  const said = field.ariaInvalid === null ? null : field.value
  let timer = 0
  const judge = (): void => {
    clearTimeout(timer)
    const { value } = field
    const fault = value.trim() === '' ? null : judgeUrl(value.trim())
    const { unsafe = '', noScheme = '', use = '' } = note.dataset
    field.ariaInvalid = fault === null ? null : 'true'
    note.textContent = fault === null || value === said ? '' : fault === 'unsafe' ? unsafe : noScheme
    note.classList.toggle('error', note.textContent !== '')
    if (fault === null || fault === 'unsafe') return
    const url = `https://${value.trim()}`
    const button = make('button', { type: 'button', textContent: fill(use, { url }) })
    button.addEventListener('click', () => {
      field.value = url
      judge()
      field.focus()
    })
    note.append(' ', button)
  }
  field.addEventListener('input', () => {
    clearTimeout(timer)
    timer = window.setTimeout(judge, PAUSE_MS)
  })
  field.addEventListener('change', judge)
  judge()
}

/** Offers the values that menus have for the condition that is chosen. */
function offerValues(pair: HTMLElement): void {
  const key = pair.querySelector('select')
  const all = document.querySelector<HTMLDataListElement>('#context-values')
  key?.addEventListener('change', () => {
    const own = [...(all?.options ?? [])].filter(({ dataset }) => dataset['key'] === key.value)
    pair.querySelector('datalist')?.replaceChildren(...own.map((each) => new Option('', each.value)))
    const field = pair.querySelector<HTMLInputElement>('[list]')
    if (field) field.placeholder = own.map(({ value }) => value).join(', ')
  })
}

/** Offers a search above a long list of boxes to tick; the ticked ones stay. */
function offerSearch(list: HTMLElement): void {
  const { find = '' } = list.dataset
  const field = make('input', { type: 'search', placeholder: find, ariaLabel: find })
  field.addEventListener('input', (event) => {
    // What is searched for is no part of what the form says.
    event.stopPropagation()
    field.defaultValue = field.value
    for (const each of list.querySelectorAll('label')) {
      const isShown = each.querySelector(':checked') ?? hasText(each, field.value)
      each.style.display = isShown ? '' : 'none'
    }
  })
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') event.preventDefault()
  })
  list.before(field)
}

function hasText({ textContent }: Element, words: string): boolean {
  return textContent.toLowerCase().includes(words.toLowerCase())
}

/** Copies the text of another language into an empty field. */
function offerCopy(button: HTMLButtonElement): void {
  const field = button.closest('.field')?.querySelector('input')
  const source = document.getElementById(button.dataset['from'] ?? '')
  if (!field || !(source instanceof HTMLInputElement)) return
  const show = (): void => {
    button.hidden = field.value !== '' || source.value === ''
  }
  for (const each of [field, source]) each.addEventListener('input', show)
  button.addEventListener('click', () => {
    field.value = source.value
    field.focus()
    show()
  })
  show()
}
