/** Holds up the whole process, as a busy machine does: afterwards timers are late, and events come in a heap. */
export function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
