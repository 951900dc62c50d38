import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { createProject, install, pack } from '../package/project.js'
import { shared } from '../support/shared.js'
import { buildImage, type Image } from './image.js'
import { kitText } from './kit.js'

/** The image of a project with one menu, built once for all files. */
export const siteImage: () => Promise<Image> = shared(build, async (image) => image.close())

async function build(): Promise<Image> {
  const { tarball } = await pack()
  const menu = kitText('kubernetes/overlays/configmap/menus/main.yaml')
  const project = createProject({ 'menus/main.yaml': menu })
  project.write(basename(tarball), readFileSync(tarball))
  await install(project, `./${basename(tarball)}`)
  const image = await buildImage(project.dir)
  project.close()
  return image
}
