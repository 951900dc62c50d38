import { MAX_DRAWING_BYTES } from '../config/iconify.js'
import type { Drawing } from '../config/icons.js'
import { derived } from '../model/derived.js'
import { toInlineSvg } from '../render/inline-svg.js'
import { readMenuBytes } from '../store/read-file.js'

/** The SVG of an icon; null when its file is gone by now, is too large, or is a link that leads out of its folder. */
export function toSvg(drawing: Drawing): string | null {
  if ('body' in drawing) {
    const spaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    return `<svg ${spaces} viewBox="${drawing.box}">${drawing.body}</svg>`
  }
  try {
    const { bytes } = readMenuBytes({ root: drawing.folder, closed: [] }, drawing.file, MAX_DRAWING_BYTES)
    return bytes.length === 0 ? null : new TextDecoder().decode(bytes)
  } catch {
    return null
  }
}

/** The HTML of an icon within a page, read once; null for a drawing that is more than shapes, or too large. */
export const toInlineIcon: (drawing: Drawing) => string | null = derived((drawing: Drawing) =>
  toInlineSvg(toSvg(drawing) ?? ''),
)
