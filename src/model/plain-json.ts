/**
 * JSON with escapes for the characters that must not reach a terminal, so that its values stay the same. `indent` is a
 * number of blanks; without it everything is in one line.
 */
export function toPlainJson(value: unknown, indent = 0): string {
  return JSON.stringify(value, null, indent).replace(/[^\n\P{Cc}]|[\p{Cf}\u2028\u2029]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}
