// Preloaded into a service: on SIGUSR2 it collects all garbage and says on standard error what is left.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  let asked = 0
  process.on('SIGUSR2', () => {
    for (let time = 0; time < 4; time++) collect()
    const { heapUsed, external, arrayBuffers } = process.memoryUsage()
    asked++
    process.stderr.write(`heap ${asked} ${heapUsed + Math.max(external, arrayBuffers)}\n`)
  })
}
