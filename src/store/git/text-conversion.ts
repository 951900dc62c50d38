import { homedir } from 'node:os'
import { join } from 'node:path'
import { must, type Repository } from './repository.js'
import type { CommitSettings } from './settings.js'

/**
 * What becomes of the CRLF of a file in a commit (gitattributes, "End-of-line conversion"). `auto`: LF, unless the file is
 * binary or staged with CRLF.
 */
export type LineEnds = 'kept' | 'auto' | 'converted'

/** How git converts a file. */
export interface Conversion {
  readonly lineEnds: LineEnds
  /** Why only git itself can convert it, in words; null where it can be done here. */
  readonly fault: string | null
}

const REWRITING = ['filter', 'ident', 'working-tree-encoding']
const ASKED = ['text', 'crlf', 'eol', ...REWRITING]

/**
 * How git converts the files at these paths when it commits them: by the attributes and settings that `git status` obeys,
 * those of the user included. Runs no filter: it is a program.
 */
export async function conversionsOf(
  repository: Repository,
  { autocrlf, namesAttributes }: CommitSettings,
  paths: readonly string[],
): Promise<readonly Conversion[]> {
  const isAuto = /^(?:true|yes|on|1|input)$/i.test(autocrlf ?? '')
  const git = repository.runWith({ GIT_ATTR_NOSYSTEM: '0' })
  const named = namesAttributes ? await attributesFileOf(repository) : undefined
  const home = process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config')
  const attributesFile = `core.attributesFile=${named ?? join(home, 'git', 'attributes')}`
  const { stdout } = await must(
    { ...repository, run: git },
    ['-c', attributesFile, 'check-attr', '-z', '--stdin', ...ASKED],
    paths.map((path) => `${path}\0`).join(''),
  )
  // For each path and attribute: the path, the attribute, its value.
  const values = stdout.toString('utf8').split('\0')
  return paths.map((_, place) => {
    const own = ASKED.map((name, at) => [name, values[(place * ASKED.length + at) * 3 + 2] ?? ''] as const)
    return toConversion(new Map(own), isAuto)
  })
}

/** The attributes file that the user named; every other call of git does without it. */
async function attributesFileOf({ run }: Repository): Promise<string | undefined> {
  const { stdout } = await run(['config', '-z', '--type=path', '--get-all', 'core.attributesFile'])
  // The last value is the one that every call of git is given.
  return stdout.toString('utf8').split('\0').at(-3)
}

function toConversion(attributes: ReadonlyMap<string, string>, isAuto: boolean): Conversion {
  const has = (name: string): boolean => !/^un(?:set|specified)$/.test(attributes.get(name) ?? '')
  const rewriting = REWRITING.find(has)
  const fault =
    rewriting === undefined
      ? null
      : `has the attribute ${rewriting}=${attributes.get(rewriting)}, by which only \`git add\` can convert it`
  return { lineEnds: toLineEnds(attributes, isAuto), fault }
}

function toLineEnds(attributes: ReadonlyMap<string, string>, isAuto: boolean): LineEnds {
  const known = ['text', 'crlf'].map((name) => attributes.get(name) ?? '')
  const text = known.find((value) => /^(?:set|unset|input|auto)$/.test(value))
  if (text === 'unset') return 'kept'
  if (text === 'auto') return 'auto'
  if (text !== undefined || /^(?:lf|crlf)$/.test(attributes.get('eol') ?? '')) return 'converted'
  return isAuto ? 'auto' : 'kept'
}

/** The bytes that git commits for a file; `before` gives those of the index, null where it has none. */
export async function asCommitted(
  bytes: Uint8Array,
  lineEnds: LineEnds,
  before: () => Promise<Uint8Array | null>,
): Promise<Uint8Array> {
  if (lineEnds === 'kept' || !hasReturns(bytes)) return bytes
  if (lineEnds === 'auto') {
    if (isBinary(bytes)) return bytes
    const old = await before()
    if (old !== null && hasReturns(old) && !isBinary(old)) return bytes
  }
  return Buffer.from(Buffer.from(bytes).toString('latin1').replaceAll('\r\n', '\n'), 'latin1')
}

function hasReturns(bytes: Uint8Array): boolean {
  return Buffer.from(bytes).includes('\r\n')
}

const [LF, CR, DELETE] = [0x0a, 0x0d, 0x7f]
/** Backspace, tab, form feed and escape, which texts may have. */
const USUAL = [0x08, 0x09, 0x0c, 0x1b]
const END_OF_FILE = 0x1a

/** As git judges it: a NUL, a CR alone, or more than one control character to 128 others. */
function isBinary(bytes: Uint8Array): boolean {
  let controls = bytes.at(-1) === END_OF_FILE ? -1 : 0
  let others = 0
  for (const [at, byte] of bytes.entries()) {
    if (byte === 0 || (byte === CR && bytes[at + 1] !== LF)) return true
    if (byte === CR || byte === LF) continue
    if (byte === DELETE || (byte < 0x20 && !USUAL.includes(byte))) controls++
    else others++
  }
  return others >> 7 < controls
}
