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
  /** Made for the first sequence: what makes it takes longer to load than all else here. */
  let key: string | null = null
  const toKey = (): string => {
    key ??= crypto.randomUUID()
    return key
  }
  const toPlain = (text: unknown): string => String(text).split('\n').map(toVisible).join('\n')
  const marked = (formatter: unknown) =>
    typeof formatter === 'function'
      ? (text: unknown): string => formatter(toPlain(text)).replaceAll('\x1b[', toKey)
      : formatter
  const entries = Object.entries(toPaint(hasColors)).map(([name, each]) => [name, marked(each)])
  return {
    paint: Object.fromEntries(entries) as Paint,
    toShown: (text) => (key === null ? toPlain(text) : toPlain(text).replaceAll(key, '\x1b[')),
  }
}
