import type { BrowserTexts } from './page-data.js'

/** Shows the keys of the page in a dialog. */
export function showHelp({ help, helpKeys }: BrowserTexts, close: string): void {
  if (document.querySelector('dialog[open]') !== null) return
  const dialog = document.createElement('dialog')
  dialog.className = 'keys'
  const title = document.createElement('h2')
  title.id = 'help-title'
  title.textContent = help
  const list = document.createElement('dl')
  for (const [keys = '', what = ''] of helpKeys) {
    const term = document.createElement('dt')
    const words = document.createElement('dd')
    term.append(
      ...keys.split(' ').flatMap((each, place) => {
        const key = document.createElement('kbd')
        key.textContent = each
        return place === 0 ? [key] : [' ', key]
      }),
    )
    words.textContent = what
    list.append(term, words)
  }
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = close
  button.addEventListener('click', () => dialog.close())
  dialog.setAttribute('aria-labelledby', title.id)
  dialog.append(title, list, button)
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
}
