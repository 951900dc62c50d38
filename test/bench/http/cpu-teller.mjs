// Preloaded into a server: on SIGUSR2 it prints the processor time of its process so far, in microseconds.
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  let asked = 0
  process.on('SIGUSR2', () => {
    const { user, system } = process.cpuUsage()
    asked++
    process.stdout.write(`cpu ${asked} ${user + system}\n`)
  })
}
