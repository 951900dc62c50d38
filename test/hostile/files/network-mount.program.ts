/**
 * A network mount, small but real: a file system in user space (FUSE) that shows a folder to a program and tells the
 * kernel of no change in it, as NFS, SMB and sshfs do. Identity and times are as such servers give them: the inode hangs
 * on the path, the time of change is that of the contents. A file beside which there is `NAME.eio` cannot be read (EIO).
 * TIMES is how exact the times are: the milliseconds of a tick, or `restless` where they are others each time.
 *
 * node --import tsx network-mount.program.ts FOLDER MOUNT TIMES COMMAND...
 *
 * Needs /dev/fuse and the right to mount, both in a user namespace of one's own. The protocol is that of Linux's
 * include/uapi/linux/fuse.h, little-endian.
 */
import { spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  openSync,
  read,
  readdirSync,
  readFileSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'

const [folder = '', mount = '', times = '', command = '', ...args] = process.argv.slice(2)
const OPCODES = { lookup: 1, forget: 2, getattr: 3, open: 14, read: 15, release: 18, init: 26 } as const
const FOLDER_OPCODES = { open: 27, read: 28, release: 29 } as const
const UNANSWERED = [OPCODES.forget, 36, 42]
const ERRORS = { missing: 2, io: 5, unknown: 38 } as const
/** Reads go to the server each time (FOPEN_DIRECT_IO). */
const DIRECT = 1
const HEADER = 40

const paths = ['', '']
let asked = 0
const device = openSync('/dev/fuse', 'r+')
const options = `fd=3,rootmode=40000,user_id=0,group_id=0`
const mounted = spawnSync('mount', ['-i', '-t', 'fuse', '-o', options, 'none', mount], {
  stdio: ['ignore', 'inherit', 'inherit', device],
})
if (mounted.status !== 0) process.exit(70)
serveNext(Buffer.alloc(2 ** 18))

let exitCode = 71
const child = spawn(command, args, { stdio: 'inherit' })
child.on('exit', (code) => {
  exitCode = code ?? 1
  // The thread that reads from the kernel keeps a process from ending until the kernel says that there is no mount.
  spawn('umount', ['-l', mount])
})
for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))

function serveNext(buffer: Buffer): void {
  read(device, buffer, 0, buffer.length, null, (error, count) => {
    if (error !== null) process.exit(exitCode)
    const opcode = buffer.readUInt32LE(4)
    const place = Number(buffer.readBigUInt64LE(16))
    if (!UNANSWERED.includes(opcode)) {
      const answer = answerTo(opcode, paths[place] ?? '', buffer.subarray(HEADER, count))
      const header = Buffer.alloc(16)
      const body = typeof answer === 'number' ? Buffer.alloc(0) : answer
      header.writeUInt32LE(header.length + body.length, 0)
      header.writeInt32LE(typeof answer === 'number' ? -answer : 0, 4)
      buffer.copy(header, 8, 8, 16)
      writeSync(device, Buffer.concat([header, body]))
    }
    serveNext(buffer)
  })
}

/** The body of an answer, or the number of an error. */
function answerTo(opcode: number, path: string, input: Buffer): Buffer | number {
  const at = join(folder, path)
  try {
    if (opcode === OPCODES.init) return initial()
    if (opcode === OPCODES.lookup) return entry(join(path, input.toString('utf8', 0, input.indexOf(0))))
    if (opcode === OPCODES.getattr) return Buffer.concat([Buffer.alloc(16), attributes(path, statSync(at))])
    if (opcode === OPCODES.open || opcode === FOLDER_OPCODES.open) return words([0, 0, DIRECT, 0])
    if (opcode === OPCODES.release || opcode === FOLDER_OPCODES.release) return Buffer.alloc(0)
    if (opcode !== OPCODES.read && opcode !== FOLDER_OPCODES.read) return ERRORS.unknown
    const [offset, size] = [Number(input.readBigUInt64LE(8)), input.readUInt32LE(16)]
    if (opcode === FOLDER_OPCODES.read) return list(at, offset, size)
    if (existsSync(`${at}.eio`)) return ERRORS.io
    return readFileSync(at).subarray(offset, offset + size)
  } catch {
    return ERRORS.missing
  }
}

function initial(): Buffer {
  const buffer = Buffer.alloc(64)
  for (const [place, value] of [7, 31, 0, 0].entries()) buffer.writeUInt32LE(value, place * 4)
  buffer.writeUInt32LE(2 ** 16, 20)
  buffer.writeUInt32LE(1, 24)
  return buffer
}

/** A file by its name; the kernel may keep neither it nor what is told of it. */
function entry(path: string): Buffer {
  const stats = statSync(join(folder, path))
  const head = Buffer.alloc(40)
  head.writeBigUInt64LE(BigInt(placeOf(path)), 0)
  return Buffer.concat([head, attributes(path, stats)])
}

function placeOf(path: string): number {
  const place = paths.indexOf(path, 2)
  return place < 0 ? paths.push(path) - 1 : place
}

function attributes(path: string, stats: Stats): Buffer {
  const buffer = Buffer.alloc(88)
  const time =
    times === 'restless' ? stats.mtimeMs + ++asked : stats.mtimeMs - (stats.mtimeMs % Number(times))
  const seconds = BigInt(Math.floor(time / 1000))
  const sizes = [BigInt(path === '' ? 1 : placeOf(path)), BigInt(stats.size), 8n, seconds, seconds, seconds]
  for (const [place, value] of sizes.entries()) buffer.writeBigUInt64LE(value, place * 8)
  const nanoseconds = Math.floor((time % 1000) * 1e6)
  for (const place of [48, 52, 56]) buffer.writeUInt32LE(nanoseconds, place)
  buffer.writeUInt32LE(stats.mode, 60)
  buffer.writeUInt32LE(1, 64)
  buffer.writeUInt32LE(4096, 80)
  return buffer
}

/** The entries of a folder from a place on, as many as fit. */
function list(at: string, offset: number, size: number): Buffer {
  const entries = readdirSync(at, { withFileTypes: true }).filter(({ name }) => !name.endsWith('.eio'))
  let all = Buffer.alloc(0)
  for (const [place, each] of entries.entries()) {
    if (place < offset) continue
    const name = Buffer.from(each.name)
    const record = Buffer.alloc(Math.ceil((24 + name.length) / 8) * 8)
    record.writeBigUInt64LE(BigInt(place + 10), 0)
    record.writeBigUInt64LE(BigInt(place + 1), 8)
    record.writeUInt32LE(name.length, 16)
    record.writeUInt32LE(each.isDirectory() ? 4 : 8, 20)
    name.copy(record, 24)
    if (all.length + record.length > size) break
    all = Buffer.concat([all, record])
  }
  return all
}

function words(values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 4)
  for (const [place, value] of values.entries()) buffer.writeUInt32LE(value, place * 4)
  return buffer
}
