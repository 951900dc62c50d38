import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { putNewFile } from '../publish/put-file.js'

/** A text that a step brings, in a file of its own beside the journal. */
export interface StepText {
  readonly name: string
  readonly bytes: Uint8Array
}

const STEP_TEXT = /^(?:from|base)-/

export function putText(place: string, { name, bytes }: StepText): void {
  putNewFile((entry) => join(place, entry), name, { text: bytes, mode: 0o600 })
}

/** Bytes of the texts that the steps of a draft brought. */
export function sizeOfTexts(place: string): number {
  const sizeOf = (name: string): number => statSync(join(place, name), { throwIfNoEntry: false })?.size ?? 0
  return readdirSync(place).reduce((sum, name) => sum + (STEP_TEXT.test(name) ? sizeOf(name) : 0), 0)
}
