import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { done, failed, type Result } from '../../model/result.js'

const NAME = 'menuscript.sock'
/** Bytes of the longest path of a socket on all systems: a longer one would silently be cut off. */
const MAX_PATH = 103

/**
 * Keeps other processes from the clone in a folder, and returns what ends that. The lock is a socket: unlike a file, it ends with
 * its process, however that ends. Where there can be none, as on a network file system or at a long path, nothing is locked.
 */
export async function lockClone(folder: string): Promise<Result<() => void, string>> {
  const path = join(folder, '.git', NAME)
  if (Buffer.byteLength(path) > MAX_PATH) return done(() => {})
  const socket = connect(path)
  const isAnswered = await succeeds(once(socket, 'connect'))
  socket.destroy()
  if (isAnswered)
    return failed(`another process uses the clone ${folder}; give each its own storage.git.clone`)
  rmSync(path, { force: true })
  const server = createServer((client) => client.destroy()).listen(path)
  server.unref()
  const isLocked = await succeeds(once(server, 'listening'))
  return done(() => void (isLocked && server.close()))
}

function succeeds(event: Promise<unknown>): Promise<boolean> {
  return event.then(
    () => true,
    () => false,
  )
}
