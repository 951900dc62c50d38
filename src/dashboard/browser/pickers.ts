import { isMap } from '../../model/json.js'

/** How long typing may pause before names are looked for, in milliseconds. */
const PAUSE_MS = 50

/** Helps with the form of an item: offers the names of icons, the fields that a route needs, and texts of other languages. */
export function startPickers(home: string): void {
  const icon = document.querySelector<HTMLInputElement>('.item-form #icon')
  const route = document.querySelector<HTMLInputElement>('.item-form #route')
  if (icon !== null) offerIcons(icon, home)
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-from]')) offerCopy(button)
  if (route !== null)
    route.addEventListener('change', async () => {
      const found = await search(home, 'routes', route.value)
      const known = found.filter(isMap).find(({ name }) => name === route.value)
      showParameters(route, known === undefined ? [] : (known['parameters'] as readonly Parameter[]))
    })
}

/** Names for what is typed, as many as a list shows; the server has them all. */
function offerIcons(field: HTMLInputElement, home: string): void {
  const list = document.createElement('datalist')
  list.id = 'icons'
  field.after(list)
  field.setAttribute('list', list.id)
  let timer = 0
  const offer = async (): Promise<void> => {
    const typed = field.value
    const names = await search(home, 'icons', typed)
    // An answer that comes late is for what was typed before.
    if (typed !== field.value) return
    list.replaceChildren(
      ...names.map((name) => {
        const option = document.createElement('option')
        option.value = String(name)
        return option
      }),
    )
  }
  field.addEventListener('focus', offer, { once: true })
  field.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(offer, PAUSE_MS)
  })
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

interface Parameter {
  readonly name: string
  readonly required: boolean
}

/** Gives each parameter a field; what was typed for one of the same name stays. */
function showParameters(route: HTMLInputElement, parameters: readonly Parameter[]): void {
  const typed = new Map<string, string>()
  for (const old of document.querySelectorAll<HTMLInputElement>('[name^="param:"]')) {
    typed.set(old.name, old.value)
    old.closest('.field')?.remove()
  }
  const fields = parameters.map(({ name, required }) => {
    const field = document.createElement('div')
    field.className = 'field'
    const label = document.createElement('label')
    label.textContent = required ? `${name} (${route.dataset['required']})` : name
    const input = route.cloneNode() as HTMLInputElement
    for (const each of ['list', 'aria-describedby', 'aria-invalid']) input.removeAttribute(each)
    input.id = input.name = `param:${name}`
    input.maxLength = MAX_LENGTH
    input.value = typed.get(input.name) ?? ''
    label.htmlFor = input.id
    field.append(label, input)
    return field
  })
  route.closest('.field')?.after(...fields)
}

/** Of the value of a parameter, in characters. */
const MAX_LENGTH = 1_000

/** What the server knows for some words; nothing where it does not answer. */
async function search(home: string, list: 'icons' | 'routes', words: string): Promise<readonly unknown[]> {
  try {
    const response = await fetch(`${home}/api/${list}?${new URLSearchParams({ q: words })}`)
    const found: unknown = response.ok && (await response.json())
    return isMap(found) && Array.isArray(found[list]) ? found[list] : []
  } catch {
    return []
  }
}
