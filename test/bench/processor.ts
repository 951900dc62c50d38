import { readdirSync, readFileSync } from 'node:fs'

/** Microseconds that the living threads of a process have run; Linux counts them to the nanosecond. */
export function threadTime(pid: number): number {
  const tasks = `/proc/${pid}/task`
  const times = readdirSync(tasks).map(
    (task) => readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0],
  )
  return times.reduce((total, time) => total + Number(time) / 1_000, 0)
}

/** Milliseconds that a process has run, with threads that have ended (proc(5): in hundredths of a second). */
export function processTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}
