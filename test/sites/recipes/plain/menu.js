import { createMenuClient } from './client.js'

const menus = createMenuClient('http://127.0.0.1:4400/api/menu', {
  locale: document.documentElement.lang,
  storage: () => localStorage,
})
document.querySelector('#menu').replaceChildren(toList(await menus.tree('main')))

function toList(nodes) {
  const list = document.createElement('ul')
  list.append(...nodes.map(toItem))
  return list
}

function toItem({ itemType, label, href, children }) {
  const item = document.createElement('li')
  const name = document.createElement(itemType === 'divider' ? 'hr' : href === '#' ? 'span' : 'a')
  if (itemType !== 'divider') name.textContent = label
  if (href !== '#') name.href = href
  item.append(name)
  if (children.length > 0) item.append(toList(children))
  return item
}
