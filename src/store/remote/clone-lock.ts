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
  if (await isAnswered(path))
    return failed(`another process uses the clone ${folder}; give each its own storage.git.clone`)
  rmSync(path, { force: true })
  const server = createServer((socket) => socket.destroy())
  server.unref()
  return new Promise((resolve) => {
    server.once('error', () => resolve(done(() => {})))
    server.listen(path, () => resolve(done(() => void server.close())))
  })
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    const end = (isOpen: boolean): void => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.once('connect', () => end(true)).once('error', () => end(false))
  })
}
