import { createRoot } from 'react-dom/client'
import { Menu } from './menu.jsx'

createRoot(document.querySelector('#menu')).render(<Menu locale={document.documentElement.lang} />)
