import {
  type BigIntStats,
  fstatSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs'

/**
 * Leaves word of who works with a file: a symbolic link, which is made in one call together with what it says. It names the
 * process and the file, so that it never speaks for another one. Where there can be none, nobody is taken for dead; nor is
 * who was killed just before this.
 */
export function leaveOwner(mark: string, descriptor: number): void {
  const said = `${toName(fstatSync(descriptor, { bigint: true }))} ${MACHINE} ${process.pid} ${OWN}`
  try {
    symlinkSync(said, mark)
  } catch {
    removeOwner(mark)
    try {
      symlinkSync(said, mark)
    } catch {
      // Others wait until the file is old.
    }
  }
}

/** Takes the word back. */
export function removeOwner(mark: string): void {
  try {
    rmSync(mark, { force: true })
  } catch {
    // It names a file that is no longer there.
  }
}

/**
 * Whether the process that worked with a file has ended. Known only of processes of this machine, since its start, that can be
 * seen from here: false for all others, such as those of another machine with the same folder.
 */
export function isOwnerDead(mark: string, file: string): boolean {
  try {
    const said = readlinkSync(mark)
    const [, about, pid, start] = /^(.*) (\d+) (\d+)$/.exec(said) ?? []
    return (
      MACHINE !== '' &&
      about === `${toName(lstatSync(file, { bigint: true }))} ${MACHINE}` &&
      identityOf(Number(pid)) !== start
    )
  } catch {
    return false
  }
}

/** The start of the machine, and the space of process numbers in it; '' where they are unknown. */
const MACHINE = machineOf()

function machineOf(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return ''
  }
}

/**
 * When a process began, in ticks since the start of the machine (proc(5), `starttime`): another process may get its number
 * later. Null where there is none, or it has ended. Throws where that cannot be known.
 */
function identityOf(pid: number): string | null {
  try {
    process.kill(pid, 0)
  } catch (thrown) {
    // Any other error means that there is one.
    if ((thrown as NodeJS.ErrnoException).code === 'ESRCH') return null
  }
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return /^[ZX]$/.test(fields[0] ?? '') ? null : (fields[19] ?? null)
}

const OWN = ownIdentity()

function ownIdentity(): string | null {
  try {
    return identityOf(process.pid)
  } catch {
    return null
  }
}

/** A file, and not a later one with the same number. */
function toName({ ino, birthtimeNs }: BigIntStats): string {
  return `${ino} ${birthtimeNs}`
}
