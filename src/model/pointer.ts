/** The steps from a value to one below it: keys of maps and places in lists, which are texts where a pointer was read. */
export type Steps = readonly (string | number)[]

/** The JSON Pointer for some steps (RFC 6901). */
export function toPointer(steps: Steps): string {
  return steps.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** The steps of a JSON Pointer; null when it is not one (RFC 6901, section 3). */
export function parsePointer(pointer: string): readonly string[] | null {
  if (pointer === '') return []
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return null
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Whether some steps lead to the value of others or below it. */
export function isWithin(steps: Steps, outer: Steps): boolean {
  return outer.length <= steps.length && outer.every((step, place) => step === steps[place])
}
