import { createMenuClient } from 'menuscript/client'
import { useEffect, useState } from 'react'

export const menus = createMenuClient('http://127.0.0.1:4400/api/menu')

export function Menu({ locale, initial = [] }) {
  const [tree, setTree] = useState(initial)
  useEffect(() => {
    const controller = new AbortController()
    const report = (error) => controller.signal.aborted || console.error(error)
    menus.tree('main', { locale, signal: controller.signal }).then(setTree, report)
    return () => controller.abort()
  }, [locale])
  return (
    <nav aria-label="Main">
      <List nodes={tree} />
    </nav>
  )
}

function List({ nodes }) {
  return (
    <ul>
      {nodes.map(({ itemType, label, href, children }, place) => (
        <li key={place}>
          {itemType === 'divider' ? <hr /> : href === '#' ? <span>{label}</span> : <a href={href}>{label}</a>}
          {children.length > 0 && <List nodes={children} />}
        </li>
      ))}
    </ul>
  )
}
