/**
 * Follows a mount whose times come in ticks, without events, and changes its file in the instant after each rescan. Ends
 * with 0 once three changes that no time shows were served, long before the rescan that reads every file.
 *
 * Runs in a folder whose `menus` is a mount of its `export`.
 */
import { statSync, writeFileSync } from 'node:fs'
import { menuText, openedOn } from '../../store/opening.js'
import { nameIn, servedWhen } from './serving-store.js'

await openedOn(
  'menus',
  async (store) => {
    for (let [turn, unseen] = [1, 0]; unseen < 3; turn++) {
      const number = String(turn).padStart(3, '0')
      writeFileSync('export/main.yaml', menuText('main', `a${number}`))
      const before = statSync('menus/main.yaml').ctimeMs
      await store.refresh()
      writeFileSync('export/main.yaml', menuText('main', `b${number}`))
      if (statSync('menus/main.yaml').ctimeMs !== before) continue
      unseen++
      // In half of the time of the rescan that reads every file.
      await servedWhen(store, (snapshot) => nameIn(snapshot) === `b${number}`, { within: 3_000 })
    }
  },
  { rescanSeconds: 0.5 },
)
