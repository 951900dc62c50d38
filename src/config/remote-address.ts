import { isAbsolute } from 'node:path'
import type { Options } from './options.js'

/** Whether a remote is an address; else it is a folder. An address may be in the short form of ssh, `git@host:path`. */
export function isAddress(remote: string): boolean {
  return !isAbsolute(remote) && /^([a-z][a-z0-9+.-]*:\/\/|[^/\\]+:)/i.test(remote)
}

/** What is wrong with a remote; null for nothing. */
export function judgeRemote({ remote, token_file, ssh_key_file }: Options['storage']['git']): string | null {
  if (remote === null) return null
  if (/[\s\p{Cc}]/u.test(remote) || remote.startsWith('-')) return 'is not the address of a repository'
  if (!isAddress(remote)) return keyless(token_file, ssh_key_file, 'a folder')
  const isShort = !remote.includes('://')
  if (isShort)
    return token_file === null
      ? null
      : 'is an ssh address, which takes no token: use storage.git.ssh_key_file'
  if (!URL.canParse(remote)) return 'is not the address of a repository'
  const { protocol, password } = new URL(remote)
  if (password !== '')
    return 'has a password in it: put it into a file, and name that in storage.git.token_file'
  switch (protocol) {
    case 'https:':
    case 'http:':
      if (!isPrivate(new URL(remote))) return 'is not encrypted: use https or ssh'
      return ssh_key_file === null
        ? null
        : 'is an https address, which takes no key: use storage.git.token_file'
    case 'ssh:':
      return token_file === null
        ? null
        : 'is an ssh address, which takes no token: use storage.git.ssh_key_file'
    case 'file:':
      return keyless(token_file, ssh_key_file, 'a folder')
    default:
      return 'begins with neither https:// nor ssh://'
  }
}

/** Whether secrets can be sent to an address: what is sent is encrypted, or stays on this machine. */
export function isPrivate({ protocol, hostname }: URL): boolean {
  return (
    protocol === 'https:' || (protocol === 'http:' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname))
  )
}

function keyless(token: string | null, key: string | null, what: string): string | null {
  return token === null && key === null ? null : `is ${what}, which takes neither a token nor a key`
}

const IN_REPOSITORY = 'git:'

/** The path in the remote repository that `dashboard.users_file` names; null for a file elsewhere. */
export function toUsersPath(usersFile: unknown): string | null {
  const isInside = typeof usersFile === 'string' && usersFile.startsWith(IN_REPOSITORY)
  return isInside ? usersFile.slice(IN_REPOSITORY.length) : null
}

/** Whether a path leads to a place in a work tree, such as `site/menus`. */
export function isTreePath(path: string): boolean {
  const odd = ['', '.', '..', '.git']
  return !path.includes('\\') && path.split('/').every((step) => !odd.includes(step.toLowerCase()))
}

/** Whether git takes a name as that of a branch (git-check-ref-format), as far as the schema does not say. */
export function isBranch(name: string): boolean {
  const steps = name.split('/')
  const isStep = (step: string): boolean => step !== '' && !step.startsWith('.') && !step.endsWith('.lock')
  return steps.every(isStep) && !name.endsWith('.') && !/\.\.|@\{|\p{Cc}/u.test(name)
}
