/** Puts who changed an item last in the place of the link to the page that says it. */
export async function showLastChange(root: ParentNode): Promise<void> {
  const link = root.querySelector<HTMLAnchorElement>('a.last-change')
  if (link === null) return
  try {
    const response = await fetch(link.href, { headers: { accept: 'text/html' }, cache: 'no-store' })
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const words = page.querySelector('#last-change bdi')
    if (response.ok && words !== null) link.replaceWith(words)
  } catch {
    // The link leads there all the same.
  }
}
