import { isMap, type RawMap, valueAt } from '../model/json.js'

/** What is inside an `<svg>` whose `viewBox` is `box`. */
export interface Inside {
  readonly body: string
  readonly box: string
}

/** Bytes of the drawing of an icon; larger ones are pictures, and are not shown. */
export const MAX_DRAWING_BYTES: number = 65_536
/** Aliases of aliases that are followed; a set may have them in a circle. */
const MAX_ALIASES = 5

/**
 * The icons and aliases of a set in Iconify's form (https://iconify.design/docs/types/iconify-json.html), by their names
 * in it; null for one that cannot be drawn.
 */
export function drawingsOf(set: RawMap): readonly (readonly [name: string, drawing: Inside | null])[] {
  const { icons, aliases } = set
  const names = [icons, aliases].flatMap((each) => (isMap(each) ? Object.keys(each) : []))
  return names.map((name) => {
    const icon = findIcon(name, set, MAX_ALIASES)
    return [name, icon && toDrawing({ ...DIMENSIONS, ...set, ...icon })]
  })
}

/** Used if neither an icon nor its set has a value. */
const DIMENSIONS = { left: 0, top: 0, width: 16, height: 16 }

/** An alias is its parent with other dimensions, and turned and flipped once more. */
function findIcon(name: unknown, set: RawMap, left: number): RawMap | null {
  const icon = valueAt(set, ['icons', String(name)])
  if (isMap(icon)) return icon
  const alias = valueAt(set, ['aliases', String(name)])
  const parent = isMap(alias) && left > 0 ? findIcon(alias['parent'], set, left - 1) : null
  if (!isMap(alias) || parent === null) return null
  const flip = (key: string): boolean => (parent[key] === true) !== (alias[key] === true)
  const rotate = numberOf(parent['rotate']) + numberOf(alias['rotate'])
  return { ...parent, ...alias, rotate, hFlip: flip('hFlip'), vFlip: flip('vFlip') }
}

function toDrawing(icon: RawMap): Inside | null {
  const { body, rotate, hFlip, vFlip } = icon
  if (typeof body !== 'string' || body === '' || body.length > MAX_DRAWING_BYTES) return null
  const [left = 0, top = 0, width = 0, height = 0] = Object.keys(DIMENSIONS).map((key) => numberOf(icon[key]))
  const turns = numberOf(rotate) % 4
  if (turns === 0 && hFlip !== true && vFlip !== true)
    return { body, box: `${left} ${top} ${width} ${height}` }
  // Flipped, then turned about its middle, where the box stays.
  const [x, y] = [left + width / 2, top + height / 2]
  const flipped = `scale(${hFlip === true ? -1 : 1} ${vFlip === true ? -1 : 1})`
  const turned = `translate(${x} ${y}) rotate(${turns * 90}) ${flipped} translate(${-x} ${-y})`
  const box = turns % 2 === 0 ? [left, top, width, height] : [x - height / 2, y - width / 2, height, width]
  return { body: `<g transform="${turned}">${body}</g>`, box: box.join(' ') }
}

/** 0 for what is not a number. */
function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0
}
