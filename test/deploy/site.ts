import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { npmEnvironment, pack } from '../package/project.js'
import { prepareProgram } from '../support/apt.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { runProcess, startProcess } from '../support/process.js'
import { shared } from '../support/shared.js'
import { COMMANDS } from './commands.js'
import { buildImage, type Image } from './image.js'
import { swapped } from './kit.js'

/** The image of the project folder that the page makes, built once for all files. */
export const siteImage: () => Promise<Image> = shared(build, async (image) => image.close())

const PROGRAMS = [
  ['git', 'git'],
  ['ssh', 'openssh-client'],
  ['update-ca-certificates', 'ca-certificates'],
] as const

async function build(): Promise<Image> {
  // What the Dockerfile installs is installed here: the package manager of a container has no sources.
  for (const [name, packageName] of PROGRAMS) prepareProgram(name, packageName)
  const { tarball } = await pack()
  const folder = createMenusFolder()
  const site = join(folder.dir, 'site')
  const env = { ...npmEnvironment(), npm_config_prefer_offline: 'true' }
  const run = async (commands: string, cwd: string): Promise<void> => {
    const { code, stdout, stderr } = await runProcess('sh', ['-euc', commands], { cwd, env })
    assert.is(code, 0, stdout + stderr)
  }
  const packing = '(cd menuscript && npm ci && npm pack --pack-destination ../site)'
  await run(swapped(COMMANDS.project, { [packing]: `cp ${tarball} site` }), folder.dir)
  await run(COMMANDS.lint, site)
  const service = startProcess('sh', ['-euc', `exec ${COMMANDS.serve}`], {
    cwd: site,
    env: { ...env, PORT: '0' },
  })
  await service.waitFor(/^listening on /m)
  assert.is(await service.stop(), 0)
  const image = await buildImage(site)
  folder.close()
  return image
}
