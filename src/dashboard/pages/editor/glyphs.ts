import type { Workspace } from '../../deeds/workspace.js'
import { pathTo } from '../path-to.js'

/** The address of the drawing of an icon by its name; null for a name without one. */
export function glyphsOf({ icons, home }: Workspace): (name: string) => string | null {
  return (name) => (icons.get(name) ? pathTo(home, 'api/icon', { name }) : null)
}
