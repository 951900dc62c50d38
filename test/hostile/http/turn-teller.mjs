// Preloaded into a service: on SIGUSR2 it says on standard error how many milliseconds the longest turn of the event loop took since the last time.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  const turns = monitorEventLoopDelay({ resolution: 5 })
  turns.enable()
  process.on('SIGUSR2', () => {
    process.stderr.write(`turn ${Math.round(turns.max / 1e6)}\n`)
    // What collecting garbage takes is not counted.
    setTimeout(() => turns.reset(), 50)
  })
}
