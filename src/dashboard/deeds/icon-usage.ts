import { derived } from '../../model/derived.js'
import { everyItem } from '../../model/menu.js'
import type { Snapshot } from '../../model/snapshot.js'
import { createPause } from '../../store/pause.js'

/** The icons of all menus, those of most items first. */
export const usedIconsOf: (snapshot: Snapshot) => Promise<readonly string[]> = derived(
  async ({ served }: Snapshot) => {
    const counts = new Map<string, number>()
    const pause = createPause()
    for (const { menu } of served.values()) {
      await pause()
      for (const item of everyItem(menu.items)) {
        const icon = item.type === 'divider' ? null : item.icon
        if (icon !== null) counts.set(icon, (counts.get(icon) ?? 0) + 1)
      }
    }
    return [...counts].sort(([, one], [, other]) => other - one).map(([icon]) => icon)
  },
)
