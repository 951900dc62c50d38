import { MAX_DRAWING_BYTES } from '../../config/iconify.js'
import type { Drawing } from '../../config/icons.js'
import { readMenuBytes } from '../../store/read-file.js'
import { Refusal } from '../refusal.js'
import type { Workspace } from './workspace.js'

/**
 * What the drawing of an icon is sent with. Anybody may have drawn it: opened alone, it runs no script, loads nothing
 * and has an origin of its own.
 */
export const GLYPH_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'image/svg+xml',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'private, max-age=3600',
}

/** The SVG of an icon. */
export function readGlyph({ icons }: Workspace, name: string): string {
  const drawing = icons.get(name) ?? null
  const text = drawing && toGlyph(drawing)
  if (text === null) throw new Refusal('no-icon')
  return text
}

/** Null when the file of a drawing is gone by now, is too large, or is a link that leads out of its folder. */
function toGlyph(drawing: Drawing): string | null {
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
