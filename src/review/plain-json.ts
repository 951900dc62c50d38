/**
 * JSON without the characters that a terminal is not shown: they are written as escapes, so that they stay what they are.
 * `indent` is a number of blanks; without it all is in one line.
 */
export function toPlainJson(value: unknown, indent = 0): string {
  return JSON.stringify(value, null, indent).replace(/[^\n\P{Cc}]|[\p{Cf}\u2028\u2029]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}
