import { styleText } from 'node:util'
import { toVisible } from '../document/source.js'

const STYLES = ['bold', 'cyan', 'dim', 'green', 'red', 'reset', 'yellow'] as const

/** Styles for one of the two outputs; none where they are not visible or `NO_COLOR` forbids them (no-color.org). */
export type Paint = Readonly<Record<(typeof STYLES)[number], (text: unknown) => string>>

/** Colours that cannot be forged by a name. */
export interface Ink {
  /** Sets secret marks instead of terminal sequences. */
  readonly paint: Paint
  /** A text's lines with marks as colours; any other terminal control character is a dot. */
  readonly toShown: (text: string) => string
}

/** Plain styles, for texts of our own. */
export function toPaint(hasColors: boolean): Paint {
  return paintWith((style, text) => (hasColors ? styleText(style, text, { validateStream: false }) : text))
}

/** Styles for lines that contain other people's names, paths and reasons. */
export function createInk(hasColors: boolean): Ink {
  /** Made for the first sequence: what makes it takes longer to load than all else here. */
  let key: string | null = null
  const toKey = (): string => {
    key ??= crypto.randomUUID()
    return key
  }
  const toPlain = (text: string): string => text.split('\n').map(toVisible).join('\n')
  const plain = toPaint(hasColors)
  return {
    paint: paintWith((style, text) => plain[style](toPlain(text)).replaceAll('\x1b[', toKey)),
    toShown: (text) => (key === null ? toPlain(text) : toPlain(text).replaceAll(key, '\x1b[')),
  }
}

function paintWith(paint: (style: keyof Paint, text: string) => string): Paint {
  const entries = STYLES.map((style) => [style, (text: unknown) => paint(style, String(text))])
  return Object.fromEntries(entries) as Paint
}
