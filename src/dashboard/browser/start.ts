import { startEditor } from './editor.js'
import { startPickers } from './pickers.js'
import { readData } from './refresh.js'

// The script lies in the assets of the dashboard.
const home = new URL('..', import.meta.url).pathname.replace(/\/$/, '')
const data = readData(document)
if (data !== null) startEditor(data, home)
startPickers(home)
