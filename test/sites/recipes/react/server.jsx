import { renderToString } from 'react-dom/server'
import { Menu, menus } from './menu.jsx'

export async function render(locale) {
  return renderToString(<Menu locale={locale} initial={await menus.tree('main', { locale })} />)
}
