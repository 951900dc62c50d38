import { fetchAt } from './refresh.js'

/** Puts who changed an item last in the place of the link to the page that says it. */
export async function showLastChange(root: ParentNode): Promise<void> {
  const link = root.querySelector<HTMLAnchorElement>('a.last-change')
  if (link === null) return
  try {
    const { response, page } = await fetchAt(link.href)
    const words = page.querySelector('#last-change bdi')
    if (response.ok && words !== null) link.replaceWith(words)
  } catch {
    // The link leads there all the same.
  }
}
