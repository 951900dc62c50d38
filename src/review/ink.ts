import { randomBytes } from 'node:crypto'
import picocolors from 'picocolors'
import { toVisible } from '../document/source.js'

/** Colours for one of the two outputs; none where they are not visible or `NO_COLOR` forbids them (no-color.org). */
export type Paint = ReturnType<typeof picocolors.createColors>

/** Colours that cannot be forged by a name. */
export interface Ink {
  /** Sets secret marks instead of terminal sequences. */
  readonly paint: Paint
  /** A text's lines with marks as colours; any other terminal control character is a dot. */
  readonly toShown: (text: string) => string
}

/** Plain colours, for texts of our own. */
export function toPaint(hasColors: boolean): Paint {
  return picocolors.createColors(hasColors)
}

/** Colours for lines that contain other people's names, paths and reasons. */
export function createInk(hasColors: boolean): Ink {
  const key = randomBytes(16).toString('hex')
  const colors = toPaint(hasColors)
  const marked = (formatter: unknown) => {
    if (typeof formatter !== 'function') return formatter
    const [open = '', close = ''] = [...String(formatter('-')).matchAll(/\d{1,3}m/g)].map(
      ([code]) => key + code,
    )
    return (text: unknown): string => `${open}${text}${close}`
  }
  const paint = hasColors
    ? (Object.fromEntries(
        Object.entries(colors).map(([name, each]) => [name, marked(each)]),
      ) as unknown as Paint)
    : colors
  return {
    paint,
    toShown: (text) => text.split('\n').map(toVisible).join('\n').replaceAll(key, '\x1b['),
  }
}
