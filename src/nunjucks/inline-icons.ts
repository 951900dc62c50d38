import { type Drawing, readIcons } from '../config/icons.js'
import { toClientIcon } from '../model/icon.js'
import type { Log } from '../service/log.js'
import type { Notice } from '../service/notices.js'
import type { Settings } from '../service/settings.js'
import { toInlineIcon } from '../web/drawing.js'

/**
 * The drawings of icons as HTML, by the names that pages get; null for one that has none. The option `icons` is read when
 * a template first asks, and each drawing once.
 */
export function createInlineIcons(
  settings: Settings,
  log: Log,
  notice: Notice,
): (icon: string) => string | null {
  let drawings: ReadonlyMap<string | null, Drawing | null> | null = null
  const read = () => {
    const found = [...readIcons(settings, log)]
    return new Map(found.map(([name, drawing]) => [toClientIcon(name, settings.prefixes), drawing]))
  }
  return (icon) => {
    drawings ??= read()
    const drawing = drawings.get(icon) ?? null
    const html = drawing && toInlineIcon(drawing)
    if (html !== null) return html
    const reason = drawing ? 'it is more than shapes, or too large' : 'icons has no drawing of it'
    notice('warn', 'icon_not_inline', icon, () => ({ icon, reason }))
    return null
  }
}
