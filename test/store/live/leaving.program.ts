// Opens a store on a folder, does one thing with it, and nothing else. Arguments: FOLDER, and one of the cases below.
import { mkdirSync, renameSync } from 'node:fs'
import { SILENT_LOG } from '../../../src/service/log.js'
import { openStore } from '../../../src/store/live/open-store.js'
import { readerOf } from '../opening.js'

const [dir = '', then] = process.argv.slice(2)
const options = { watch: then !== 'left', filePrefix: '', rescanSeconds: 5, log: SILENT_LOG }
const store = await openStore(dir, readerOf(), options)
console.log(store.current.served.size)
if (then === 'closed') await store.close()
if (then === 'closed-later') setTimeout(() => store.close(), 300)
if (then === 'closed-and-replaced') {
  await store.close()
  renameSync(dir, `${dir}-before`)
  mkdirSync(dir)
  await store.refresh()
  await store.refresh()
}
