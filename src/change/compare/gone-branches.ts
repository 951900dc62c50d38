import type { ItemDifference } from './differences.js'

type Places = Pick<ItemDifference, 'before' | 'after'>

/** Makes the function that says whether an item of a difference went with one above it. */
export function goneBranches(items: readonly Places[]): (item: Places) => boolean {
  const gone = new Set(
    items.flatMap(({ before, after }) => (after === null && before ? [before.pointer] : [])),
  )
  return ({ before, after }) => {
    if (after !== null || before === null) return false
    const steps = before.pointer.split('/children/')
    return steps.some((_, place) => place > 0 && gone.has(steps.slice(0, place).join('/children/')))
  }
}
