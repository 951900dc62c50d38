import * as assert from 'uvu/assert'
import { loadConfig } from '../../src/config/load-config.js'
import { createMenusFolder } from '../support/menus-folder.js'

/** The options of a configuration file without a mistake. */
export async function optionsOf(text: string): Promise<Awaited<ReturnType<typeof loadConfig>>['options']> {
  const folder = createMenusFolder({ 'menuscript.config.yaml': text })
  const { options, problems } = await loadConfig({
    folder: folder.dir,
    file: null,
    environment: {},
    flags: {},
  })
  folder.close()
  assert.equal(problems, [])
  return options
}
