import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { createMenuClient } from '../../src/client/client.js'
import { createProject, install } from '../package/project.js'
import { ROOT } from '../readme/readme.js'
import { withServer } from '../readme/shell.js'
import { runProcess } from '../support/process.js'
import { closing, test } from '../support/test.js'
import { navOf, recipeText, toBare, toHtml } from './recipes.js'

// Astro has 280 packages, for a folder of its own. The date keeps them as they were when this was written.
const ASTRO = ['astro@5.9.4', '--before=2026-11-20', '--ignore-scripts']

test('The recipe for Astro is built with the menu of the service', async () => {
  const project = closing(createProject())
  await install(project, ...ASTRO)
  symlinkSync(ROOT, join(project.dir, 'node_modules/menuscript'))
  await withServer('menuscript serve', ROOT, async (url) => {
    for (const path of ['src/pages/index.astro', 'src/components/MenuList.astro'])
      project.write(path, recipeText(`astro/${path}`, url))
    const { code, stdout, stderr } = await runProcess('node', ['node_modules/astro/astro.js', 'build'], {
      cwd: project.dir,
      env: { ASTRO_TELEMETRY_DISABLED: '1' },
    })
    assert.is(code, 0, stdout + stderr)
    const tree = await createMenuClient(`${url}/api/menu`).tree('main', { locale: 'en' })
    const html = readFileSync(join(project.dir, 'dist/index.html'), 'utf8')
    assert.is(toBare(navOf(html)), `<nav>${toHtml(tree)}</nav>`)
  })
})

test.run()
