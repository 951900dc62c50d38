/** The steps from a value to one below it: keys of maps and indices of lists, as texts (RFC 6901). */
export type Steps = readonly string[]

/** Reads a JSON Pointer; null when it is none (RFC 6901, section 3). */
export function parsePointer(pointer: string): Steps | null {
  if (pointer === '') return []
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return null
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The JSON Pointer for some steps. */
export function toPointer(steps: Steps): string {
  return steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** Whether a pointer leads to the value of another or below it. */
export function isWithin(steps: Steps, outer: Steps): boolean {
  return outer.length <= steps.length && outer.every((step, place) => step === steps[place])
}
