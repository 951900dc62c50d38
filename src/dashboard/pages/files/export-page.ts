import { exportMenus } from '../../deeds/export.js'
import { needPath } from '../../deeds/faults.js'
import type { Workspace } from '../../deeds/workspace.js'
import type { Page } from '../../page.js'

/** All menus, or the one of a file, as a JSON file. */
export function exportPage(workspace: Workspace): Page {
  return {
    role: 'view',
    show: ({ query, operator }) => {
      const file = query.get('file')
      if (file !== undefined) needPath(file)
      const write = exportMenus(workspace, operator, { file, hasNotes: false })
      return { write, fileName: toFileName(file ?? 'menus') }
    },
  }
}

/** The name of a menu file without its folder and its ending, in characters that need no quoting. */
function toFileName(file: string): string {
  const name = file.replace(/^.*\//, '').replace(/\.ya?ml$/, '')
  return `${name.replaceAll(/[^\w.-]/g, '_')}.json`
}
