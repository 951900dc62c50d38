import { createHash } from 'node:crypto'
import { tooLarge } from '../../document/menu-document.js'
import type { Limits } from '../../model/limits.js'
import type { Problem } from '../../model/problem.js'
import { GitError } from './process.js'
import { lacks, linesOf, must, type Repository } from './repository.js'

/** A file or a link of a commit: its path from the top of the work tree with `/`, and the hash of its content. */
export interface TreeFile {
  readonly path: string
  readonly blob: string
  readonly isLink: boolean
  readonly isExecutable: boolean
}

/**
 * What a commit has at some paths and below them, in byte order; `''` is the top. Reads only hashes: a content may be
 * missing from the repository.
 */
export async function filesAt(
  repository: Repository,
  commit: string,
  paths: readonly string[],
): Promise<readonly TreeFile[]> {
  const within = paths.includes('') ? [] : ['--', ...paths]
  const lines = await linesOf(repository, ['ls-tree', '-r', '-z', '--full-tree', commit, ...within])
  return lines.flatMap((line) => {
    const [, mode = '', blob = '', path = ''] = /^(\d+) blob ([0-9a-f]+)\t(.*)$/s.exec(line) ?? []
    return path === '' ? [] : [{ path, blob, isLink: mode === '120000', isExecutable: mode === '100755' }]
  })
}

/** The hash that git gives a content, with the algorithm of another hash (gitformat, "blob"). */
export function blobName(bytes: Uint8Array, like: string): string {
  const hash = createHash(like.length === 64 ? 'sha256' : 'sha1')
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}

/** The contents with these hashes, in one call. */
export async function readBlobs(
  repository: Repository,
  blobs: Iterable<string>,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const wanted = [...new Set(blobs)]
  const found = new Map<string, Uint8Array>()
  if (wanted.length === 0) return found
  const { stdout } = await must(repository, ['cat-file', '--batch'], `${wanted.join('\n')}\n`)
  let at = 0
  for (const blob of wanted) {
    const lineEnd = stdout.indexOf(0x0a, at)
    const bytes = Number(stdout.toString('utf8', at, lineEnd).split(' ')[2])
    if (!Number.isInteger(bytes)) throw lacks(blob)
    found.set(blob, stdout.subarray(lineEnd + 1, lineEnd + 1 + bytes))
    at = lineEnd + 1 + bytes + 1
  }
  return found
}

/** The contents with these hashes, each by its path: the bytes, or the problem of one over the size limit. */
export async function readTexts(
  repository: Repository,
  files: readonly (readonly [path: string, blob: string])[],
  limits: Pick<Limits, 'bytes'>,
): Promise<ReadonlyMap<string, Uint8Array | Problem>> {
  const wanted = files.map(([, blob]) => blob)
  const sizes = new Map(
    (await blobsAt(repository, wanted)).map((each, at) => [wanted[at] ?? '', each?.bytes]),
  )
  for (const [blob, bytes] of sizes) if (bytes === undefined) throw lacks(blob)
  const small = [...sizes].flatMap(([blob, bytes = 0]) => (bytes <= limits.bytes ? [blob] : []))
  const texts = await readBlobs(repository, small)
  return new Map(
    files.map(([path, blob]) => [path, texts.get(blob) ?? tooLarge(path, sizes.get(blob) ?? 0, limits)]),
  )
}

/** The hash of a content and its size. */
export interface Blob {
  readonly blob: string
  readonly bytes: number
}

/** The contents with these hashes, or at these places (`COMMIT:PATH`); null where there is none, or it is missing. Trees likewise. */
export async function blobsAt(
  repository: Repository,
  places: readonly string[],
  wanted: 'blob' | 'tree' = 'blob',
): Promise<readonly (Blob | null)[]> {
  if (places.length === 0) return []
  // Paths with a line break are rare, and not every git has `-z` here.
  const isOdd = places.some((place) => place.includes('\n'))
  const end = isOdd ? '\0' : '\n'
  const asked = ['cat-file', '--batch-check', ...(isOdd ? ['-z'] : [])]
  const { stdout } = await must(repository, asked, places.join(end) + end)
  const text = stdout.toString('utf8')
  let at = 0
  return places.map((place): Blob | null => {
    const missing = `${place} missing\n`
    if (text.startsWith(missing, at)) {
      at += missing.length
      return null
    }
    const line = text.slice(at, text.indexOf('\n', at))
    at += line.length + 1
    const [, blob = '', kind, bytes] = /^([0-9a-f]+) (\w+) (\d+)$/.exec(line) ?? []
    if (kind === undefined) throw new GitError(`git does not say what ${place} is: ${line}`)
    return kind === wanted ? { blob, bytes: Number(bytes) } : null
  })
}
