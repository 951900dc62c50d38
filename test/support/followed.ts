/** Milliseconds in which no look of the timer, every five seconds, finds a change that was made right behind one before. */
export const SOONER_THAN_A_LOOK = 2_500
const CHANGES = 3
/** On a machine that holds us up again and again. */
const MOST_CHANGES = 8

/**
 * Makes some changes, each as soon as the one before is live, and answers how many milliseconds the quickest of them
 * took, but for the first. That one may be found by a look of the timer; a change right behind it then is found by the
 * next look, all of the timer's pause later, unless an event tells of it. As long as none was quick, some more are made.
 */
export async function quickestChange(change: (turn: number) => Promise<unknown>): Promise<number> {
  let quickest = Number.POSITIVE_INFINITY
  const isOver = (turn: number): boolean => turn > (quickest < SOONER_THAN_A_LOOK ? CHANGES : MOST_CHANGES)
  for (let turn = 1; !isOver(turn); turn++) {
    const start = performance.now()
    await change(turn)
    if (turn > 1) quickest = Math.min(quickest, performance.now() - start)
  }
  return quickest
}
