/** Freezes a value and all below it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const key in value) deepFreeze(value[key])
  return Object.freeze(value)
}
