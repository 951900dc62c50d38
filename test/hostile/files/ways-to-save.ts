import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inPieces } from '../../support/writers.js'

/** Puts a text into a file that is there, by the system calls of some program, in their order. */
export type Save = (file: string, text: string) => Promise<void>

/** A way to save and the program whose way it is. */
export type WayToSave = readonly [program: string, save: Save]

const LONG_AGO = new Date(2001, 1, 3)
/** Milliseconds between two steps of a program: enough for a look in between. */
const STEP_MS = 15

/**
 * The ways of programs, as strace shows them on Linux. vim, sed, cp, mv and tar are run for real besides, where they
 * are; Emacs, VS Code, JetBrains, rsync and scp are only imitated, since few machines have them all. Between two steps
 * they give others their turn, so that what lies about in between can be seen.
 */
export const WAYS_TO_SAVE: readonly WayToSave[] = [
  ['vim', vim],
  ['vim with backupcopy=yes', vimCopying],
  ['Emacs', emacs],
  ['nano, VS Code, cp, a shell', (file, text) => writeThrough(file, text, 'w')],
  ['JetBrains', jetBrains],
  ['gedit', (file, text) => moveIn(join(dirname(file), '.goutputstream-7A0Z2Y'), file, text)],
  ['Kate', (file, text) => moveIn(`${file}.gXmTqz`, file, text)],
  ['sed -i', (file, text) => moveIn(join(dirname(file), 'sedaW3Xyz'), file, text)],
  ['rsync', rsync],
  ['rsync --inplace', rsyncInPlace],
  ['scp', async (file, text) => void (await inPieces(file, text, 'w', 20))],
  ['scp -O', scpOld],
  ['tar, git, kubectl cp', afresh],
  ['ln -f', linked],
]

/** Writes 4913 to learn whether it may, moves the file away, writes it anew, and deletes the old one. */
async function vim(file: string, text: string): Promise<void> {
  const folder = dirname(file)
  const swap = join(folder, `.${file.slice(folder.length + 1)}.swp`)
  fs.writeFileSync(swap, 'b0VIM 9.0')
  fs.closeSync(fs.openSync(join(folder, '4913'), 'wx', 0o600))
  await sleep(STEP_MS)
  fs.unlinkSync(join(folder, '4913'))
  fs.renameSync(file, `${file}~`)
  await sleep(STEP_MS)
  await writeThrough(file, text, 'w')
  fs.chmodSync(file, 0o644)
  await sleep(STEP_MS)
  fs.unlinkSync(`${file}~`)
  fs.unlinkSync(swap)
}

async function vimCopying(file: string, text: string): Promise<void> {
  fs.copyFileSync(file, `${file}~`)
  await sleep(STEP_MS)
  await writeThrough(file, text, 'r+')
  await sleep(STEP_MS)
  fs.unlinkSync(`${file}~`)
}

/** Locks by a link that leads nowhere, saves by itself into #x#, and keeps the version before as x~. */
async function emacs(file: string, text: string): Promise<void> {
  const [folder, name] = [dirname(file), file.slice(dirname(file).length + 1)]
  fs.symlinkSync('somebody@somewhere.1234:1700000000', join(folder, `.#${name}`))
  fs.writeFileSync(join(folder, `#${name}#`), text.slice(0, text.length / 2))
  await sleep(STEP_MS)
  // Only the first save of a session keeps the version before; later ones write over the file.
  if (!fs.existsSync(`${file}~`)) fs.renameSync(file, `${file}~`)
  await sleep(STEP_MS)
  await writeThrough(file, text, 'w')
  await sleep(STEP_MS)
  fs.unlinkSync(join(folder, `#${name}#`))
  fs.unlinkSync(join(folder, `.#${name}`))
}

async function jetBrains(file: string, text: string): Promise<void> {
  fs.writeFileSync(`${file}___jb_tmp___`, text)
  await sleep(STEP_MS)
  fs.renameSync(file, `${file}___jb_old___`)
  await sleep(STEP_MS)
  fs.renameSync(`${file}___jb_tmp___`, file)
  await sleep(STEP_MS)
  fs.unlinkSync(`${file}___jb_old___`)
}

/** A temporary file that takes the place of the old one, with the time of the file it was copied from. */
async function rsync(file: string, text: string): Promise<void> {
  const temporary = join(dirname(file), `.${file.slice(dirname(file).length + 1)}.k3JxQe`)
  await inPieces(temporary, text, 'w', 10)
  fs.utimesSync(temporary, LONG_AGO, LONG_AGO)
  await sleep(STEP_MS)
  fs.renameSync(temporary, file)
}

/** Writes over the old bytes block by block and cuts off what is left of them at the end. */
async function rsyncInPlace(file: string, text: string): Promise<void> {
  await inPieces(file, text, 'r+', 20)
  fs.utimesSync(file, LONG_AGO, LONG_AGO)
}

async function scpOld(file: string, text: string): Promise<void> {
  await inPieces(file, text, 'r+', 20)
  fs.chmodSync(file, 0o644)
}

async function afresh(file: string, text: string): Promise<void> {
  fs.unlinkSync(file)
  await sleep(STEP_MS)
  await writeThrough(file, text, 'wx')
  fs.utimesSync(file, LONG_AGO, LONG_AGO)
}

/** A file from elsewhere under a second name: no byte is written where the menus are. */
async function linked(file: string, text: string): Promise<void> {
  const elsewhere = fs.mkdtempSync(join(tmpdir(), 'elsewhere-'))
  fs.writeFileSync(join(elsewhere, 'x'), text)
  fs.unlinkSync(file)
  await sleep(STEP_MS)
  fs.linkSync(join(elsewhere, 'x'), file)
  fs.rmSync(elsewhere, { recursive: true })
}

async function moveIn(temporary: string, file: string, text: string): Promise<void> {
  await writeThrough(temporary, text, 'w')
  await sleep(STEP_MS)
  fs.renameSync(temporary, file)
}

/** Opens a file, which leaves nothing in it, and writes it in one go. */
async function writeThrough(file: string, text: string, flags: 'w' | 'wx' | 'r+'): Promise<void> {
  const descriptor = fs.openSync(file, flags)
  if (flags === 'r+') fs.ftruncateSync(descriptor)
  await sleep(STEP_MS)
  fs.writeSync(descriptor, text)
  fs.fsyncSync(descriptor)
  fs.closeSync(descriptor)
}

/** Moves a new version into its place: no state in between is ever to be seen. */
export function replace(file: string, content: string | Uint8Array): void {
  fs.writeFileSync(`${file}.tmp`, content)
  fs.renameSync(`${file}.tmp`, file)
}
