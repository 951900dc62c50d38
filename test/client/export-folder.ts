import * as assert from 'uvu/assert'
import { menuscript } from '../cli/command.js'
import type { OpenSite } from '../http/sites.js'
import { createMenusFolder, type MenusFolder } from '../support/menus-folder.js'

/** Builds the export of a site into a folder of its own. */
export async function exportOf(site: OpenSite): Promise<MenusFolder> {
  const folder = createMenusFolder()
  const { code, stderr } = await menuscript(['build', '--out', folder.dir], { cwd: site.folder.dir })
  assert.is(code, 0, stderr)
  return folder
}
