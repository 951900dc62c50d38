import { randomBytes } from 'node:crypto'
import { lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { toNameHash } from './manifest.js'

/** The name of a file, and its bytes. */
export type HashedFile = readonly [name: string, body: Uint8Array]

/** Any longer JSON or HTML of a menu is smaller when compressed. */
const MIN_COMPRESSED = 256
/** A higher one takes twenty times as long for a thousandth of the bytes. */
const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 6 }
/** Only what is smaller is kept, so that zlib never needs more memory at once. */
const toRoom = ({ length }: Uint8Array) => ({ chunkSize: Math.max(MIN_COMPRESSED, length) })
const CODINGS: readonly (readonly [ending: string, compress: (body: Uint8Array) => Buffer])[] = [
  ['br', (body) => brotliCompressSync(body, { params: BROTLI, ...toRoom(body) })],
  ['gz', (body) => gzipSync(body, { level: constants.Z_BEST_COMPRESSION, ...toRoom(body) })],
]

/** Whether a file is complete: with its name, its size says so. A link is not. */
export function isWhole(root: string, [name, body]: HashedFile): boolean {
  const stats = lstatSync(join(root, name), { throwIfNoEntry: false })
  return stats?.isFile() === true && stats.size === body.length
}

/** Whether a file is among some names, with its compressed forms. */
export function isNamed(names: ReadonlySet<string>, [name, { length }]: HashedFile): boolean {
  if (!names.has(name)) return false
  return length < MIN_COMPRESSED || CODINGS.every(([ending]) => names.has(`${name}.${ending}`))
}

/** Writes a file behind its compressed forms: where it is, they are. */
export function writeHashed(root: string, [name, body]: HashedFile): void {
  for (const [ending, compress] of CODINGS) {
    const packed = compress(body)
    if (packed.length < body.length) writeNew(root, `${name}.${ending}`, packed)
  }
  writeNew(root, name, body)
}

/** Writes a file under a name that no manifest refers to yet; what has the name is replaced by a whole file. */
function writeNew(root: string, name: string, bytes: Uint8Array): void {
  try {
    writeFileSync(join(root, name), bytes, { flag: 'wx' })
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown
    const aside = join(root, `.menuscript-${randomBytes(6).toString('hex')}.tmp`)
    writeFileSync(aside, bytes, { flag: 'wx' })
    renameSync(aside, join(root, name))
  }
}

/** Removes a file with its compressed forms, unless its content is not what we wrote. */
export function removeHashed(root: string, name: string): boolean {
  const place = join(root, name)
  if (lstatSync(place, { throwIfNoEntry: false })?.isFile() !== true) return false
  if (!name.includes(`.${toNameHash(readFileSync(place))}.`)) return false
  for (const [ending] of CODINGS) rmSync(`${place}.${ending}`, { force: true })
  rmSync(place)
  return true
}
