/** A text as one word of a POSIX shell, whatever characters it has. */
export function toShellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
