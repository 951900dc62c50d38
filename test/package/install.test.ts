import { test } from 'uvu'
import * as assert from 'uvu/assert'
import packageJson from '../../package.json' with { type: 'json' }
import type { MenusFolder } from '../support/menus-folder.js'
import { createProject, filesBelow, install, installedPackages, pack } from './project.js'

const { express, nunjucks } = packageJson.devDependencies
const EXPRESS = `express@${express}`
const NUNJUCKS = `nunjucks@${nunjucks}`
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall']

const { tarball } = await pack()

/** What has to be compiled, or may run code, when a project is installed. */
function hazards(project: MenusFolder): readonly string[] {
  const scripts = installedPackages(project).flatMap(({ folder, scripts }) =>
    scripts.filter((name) => INSTALL_SCRIPTS.includes(name)).map((name) => `${folder} runs ${name}`),
  )
  const native = filesBelow(`${project.dir}/node_modules`).filter((path) =>
    /\.node$|binding\.gyp$/.test(path),
  )
  return [...scripts, ...native]
}

/** The versions of chokidar, wherever they lie. */
function chokidars(project: MenusFolder): readonly string[] {
  return installedPackages(project)
    .filter(({ name }) => name === 'chokidar')
    .map(({ version }) => version)
}

test('An empty project gets at most 20 packages with it, without native code and install scripts', async () => {
  const project = createProject()
  const said = await install(project, tarball)
  const names = installedPackages(project).map(({ name }) => name)
  assert.ok(names.length <= 20, names.join(' '))
  for (const name of ['menuscript', ...Object.keys(packageJson.dependencies)]) {
    assert.ok(names.includes(name), name)
  }
  assert.is(new Set(names).size, names.length, 'none twice')
  assert.equal(chokidars(project), [packageJson.dependencies.chokidar])
  assert.equal(hazards(project), [])
  assert.not.match(said, /ERESOLVE|deprecated|EBADENGINE|vulnerab/)
  project.close()
})

const ORDERS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'in one command': [[tarball, EXPRESS, NUNJUCKS]],
  'after them': [[NUNJUCKS, EXPRESS], [tarball]],
  'before them': [[tarball], [NUNJUCKS, EXPRESS]],
}
for (const [order, commands] of Object.entries(ORDERS)) {
  test(`Installed ${order}, it shares a project with express and nunjucks, and there is one chokidar`, async () => {
    const project = createProject()
    for (const specifiers of commands) assert.not.match(await install(project, ...specifiers), /ERESOLVE/)
    assert.equal(chokidars(project), [packageJson.dependencies.chokidar])
    assert.equal(hazards(project), [])
    project.close()
  })
}

test.run()
