import type { Limits } from '../../../src/model/limits.js'
import { sized } from '../../support/figures.js'
import { DEFAULT_LIMITS } from '../../support/limits.js'

/** A file that is filled to its limit with one scrap. */
export interface Filled {
  readonly name: string
  readonly bytes: Uint8Array
  readonly limits: Limits
}

/** How much larger the limit of a file is by default than the one that is filled here. */
export const SHARE: number = sized(2, 1)
const LIMITS: Limits = { ...DEFAULT_LIMITS, bytes: DEFAULT_LIMITS.bytes / SHARE }

const HEAD = 'version: 1\ncode: main\nname: Main\nitems:'

/** What a file is filled with, behind what. */
const FILLS: readonly (readonly [before: string, scrap: string])[] = [
  ...[
    ']',
    '}\t',
    '[}',
    'a: ]\n',
    ',',
    '- ',
    '? ',
    'a\n',
    'a: b\n',
    '"',
    '""\n',
    '#\n',
    ' \n',
    '\r',
    '%a\n',
    '---\n',
    '&a ',
  ].map((scrap) => ['', scrap] as const),
  [`${HEAD} "`, '\\q'],
  [`${HEAD} "`, '\\x'],
  [`${HEAD} [`, '"\\q\\q\\q\\q\\q\\q",'],
  [`${HEAD} [`, 'a b: c d: '],
  [`${HEAD} {`, 'a: [],'],
  [`${HEAD}\n`, '- {label: A, url: /}\n'],
  [`${HEAD}\n`, '- a\n b\n'],
  [`${HEAD}\n- label: |\n`, '    a\n'],
  [`${HEAD}\n- label: A\n  url: `, 'a.a:'],
  [`${HEAD}\n- label: A\n  permissions: [`, ' a ,'],
  [`${HEAD}\n- label: A\n  attributes: {class: "`, 'a '],
  [`${HEAD}\n- label: {`, 'en_'],
  [`${HEAD} []\n<<<<<<< a\n`, '>>>>>>>\n'],
]
export const FILL_COUNT: number = FILLS.length

/** The file that is filled with the scrap at that place of the list. */
export function filled(place: number): Filled {
  const [before, scrap] = FILLS[place] ?? ['', '']
  const room = LIMITS.bytes - Buffer.byteLength(before)
  const text = before + scrap.repeat(Math.floor(room / Buffer.byteLength(scrap)))
  return { name: `filled with ${JSON.stringify(scrap)}`, bytes: Buffer.from(text), limits: LIMITS }
}
