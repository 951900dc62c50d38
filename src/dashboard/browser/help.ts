/** Shows the keys of the page in a dialog, which outlives the page that is shown in its place. */
export function showHelp(): void {
  const template = document.querySelector<HTMLTemplateElement>('template#keys')
  const source = template?.content.querySelector('dialog') ?? null
  if (source === null || document.querySelector('dialog[open]') !== null) return
  const dialog = document.importNode(source, true)
  dialog.querySelector('button')?.addEventListener('click', () => dialog.close())
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
}
