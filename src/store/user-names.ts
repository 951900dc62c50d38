/** How users may be called. */
export const USER_NAME: RegExp = /^[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}$/
/** The user who signed in with a one-time link, which the service prints. */
export const LOCAL_USER = 'local'
/** The user of scripts, which have the admin token. */
export const TOKEN_USER = 'token'

/**
 * What identifies the user of a name: names that differ only in case, or in how letters are composed, are of one user. The
 * key of a key is the key itself.
 */
export function toUserKey(name: string): string {
  return name.normalize('NFC').toLowerCase().normalize('NFC')
}

/** Whether only Menuscript may use a name: no one else can pass for that user. */
export function isReserved(name: string): boolean {
  return [LOCAL_USER, TOKEN_USER].includes(toUserKey(name))
}
