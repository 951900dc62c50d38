// Runs compiled test files in this process, one after the other: `node run-files.mjs FILE...`
// What each prints stands between `\0file` and `\0MILLISECONDS ms`, by which test-file.ts tells them apart.
import { pathToFileURL } from 'node:url'

// Nothing runs before `exec`.
globalThis.UVU_DEFER = 1
const { exec } = await import('uvu')

for (const path of process.argv.slice(2)) {
  const start = performance.now()
  process.stdout.write('\0file\n')
  globalThis.UVU_QUEUE.splice(0, Number.POSITIVE_INFINITY, [null])
  await import(pathToFileURL(path).href)
  await exec()
  process.stdout.write(`\0${Math.round(performance.now() - start)} ms\n`)
}
// What several files shared is closed (shared.ts).
process.emit('lastFileRan')
