/** Decisions that fast-check made: 0 stands for the plainest one, so that what is found shrinks to plain text. */
export interface Dice {
  /** A number from 0 to below `sides`. */
  readonly roll: (sides: number) => number
  /** True once in so many times. */
  readonly once: (times: number) => boolean
  readonly pick: <T>(list: readonly T[]) => T
}

export function toDice(numbers: readonly number[]): Dice {
  let next = 0
  const roll = (sides: number): number => (numbers[next++ % numbers.length] ?? 0) % sides
  return {
    roll,
    once: (times) => roll(times) === times - 1,
    pick: (list) => list[roll(list.length)] as (typeof list)[number],
  }
}
