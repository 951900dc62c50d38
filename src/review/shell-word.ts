/** A text as one word of a POSIX shell, with any characters. */
export function toShellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
