import { toSvg } from '../../web/drawing.js'
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
  const text = drawing && toSvg(drawing)
  if (text === null) throw new Refusal('no-icon')
  return text
}
