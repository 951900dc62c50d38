import type { IncomingMessage } from 'node:http'
import type { Log } from '../../service/log.js'
import { toFault } from '../../store/publish/plan.js'
import { FileBusyError } from '../../store/publish/put-file.js'
import { reportFailure, toFailure } from '../../web/failure.js'
import type { HttpProblem } from '../../web/problem-json.js'
import { toPublishProblem } from './faults.js'

/** Logs what was thrown, and returns it as an answer: 503 where the disk failed or was busy, which is expected, else 500. */
export function toThrownProblem(log: Log, request: IncomingMessage, thrown: unknown): HttpProblem {
  if (!isOfDisk(thrown)) return toFailure(log, request, thrown)
  reportFailure(log, request, thrown)
  return toPublishProblem(toFault('', thrown))
}

function isOfDisk(thrown: unknown): boolean {
  const isCoded = typeof (thrown as NodeJS.ErrnoException | null)?.syscall === 'string'
  return isCoded || thrown instanceof FileBusyError
}
