import { isMap } from '../../model/json.js'
import { ask } from './ask.js'
import { startIconPicker } from './icon-picker.js'

/** Helps with the forms of items and menus: offers icons, the fields that a route needs, and texts of other languages. */
export function startPickers(home: string, root: ParentNode = document): void {
  const icon = root.querySelector<HTMLInputElement>('#icon[data-shown]')
  const route = root.querySelector<HTMLInputElement>('.item-form #route')
  if (icon !== null) startIconPicker(icon, home)
  for (const button of root.querySelectorAll<HTMLButtonElement>('[data-from]')) offerCopy(button)
  if (route === null) return
  const typed = new Map<string, string>()
  route.addEventListener('change', async () => {
    const { value: wanted } = route
    const found = await ask(home, 'routes', wanted)
    // The answer for another route, or none: the fields stay.
    if (found === null || route.value !== wanted) return
    const { routes } = found
    const known = (Array.isArray(routes) ? routes : []).filter(isMap).find(({ name }) => name === wanted)
    showParameters(route, known === undefined ? [] : (known['parameters'] as readonly Parameter[]), typed)
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

/** Gives each parameter a field, with what was typed for one of the same name, be it of an earlier route. */
function showParameters(
  route: HTMLInputElement,
  parameters: readonly Parameter[],
  typed: Map<string, string>,
): void {
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
