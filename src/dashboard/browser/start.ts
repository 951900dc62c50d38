import { sendCarefully } from './careful-forms.js'
import { markChangedCells } from './changed-cells.js'
import { startEditor } from './editor.js'
import { keepWords } from './kept-words.js'
import { showLastChange } from './last-change.js'
import { createLiveRegion, type LiveRegion } from './live-region.js'
import { startPickers } from './pickers.js'
import { showChosen, showPreview } from './preview-pane.js'
import { readData } from './refresh.js'
import { showTimes } from './times.js'
import { keepUnsavedWords } from './unsaved-words.js'

// The script lies in the assets of the dashboard.
const home = new URL('..', import.meta.url).pathname.replace(/\/$/, '')
const data = readData(document)
let region: LiveRegion | null = null
const toRegion = (): LiveRegion => {
  region ??= createLiveRegion(document.body)
  return region
}
showTimes(document)
if (data !== null) startEditor(data, home, toRegion())
else startPickers(home)
void showLastChange(document)
sendCarefully(home, toRegion)
keepUnsavedWords()
keepWords()
showChosen()
showPreview(home)
markChangedCells()

// Escape closes what a tab or the bar has unfolded.
document.addEventListener('keydown', ({ key }) => {
  const open = key === 'Escape' ? document.querySelector(':is(.pages, .several) details[open]') : null
  open?.removeAttribute('open')
  open?.querySelector('summary')?.focus()
})
