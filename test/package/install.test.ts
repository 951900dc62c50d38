import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import packageJson from '../../package.json' with { type: 'json' }
import { ROOT } from '../readme/readme.js'
import { LONG } from '../support/figures.js'
import type { MenusFolder } from '../support/menus-folder.js'
import { createProject, filesBelow, install, installed, installedPackages, pack } from './project.js'

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

/** The versions of chokidar, wherever they lie: in a package of their own, or taken in by ours. */
function chokidars(project: MenusFolder): readonly string[] {
  const own = installedPackages(project).filter(({ name }) => name === 'chokidar')
  const notices = readFileSync(join(project.dir, 'node_modules/menuscript/dist/THIRD-PARTY.txt'), 'utf8')
  const takenIn = [...notices.matchAll(/^chokidar (\S+)$/gm)].map(([, version = '']) => version)
  return [...own.map(({ version }) => version), ...takenIn]
}

const project = createProject()
test.after(() => project.close())

test('It installs without a registry: every package it needs is in it, at the version that was tested', async () => {
  const said = await install(project, tarball, '--offline', '--cache', join(project.dir, 'no-cache'))
  assert.equal(
    installedPackages(project).map(({ name }) => name),
    ['menuscript'],
  )
  for (const kind of ['dependencies', 'optionalDependencies', 'peerDependencies', 'bundleDependencies'])
    assert.not.ok(kind in packageJson, kind)
  assert.equal(chokidars(project), [packageJson.devDependencies.chokidar])
  assert.equal(hazards(project), [])
  assert.not.match(said, /ERESOLVE|deprecated|EBADENGINE|vulnerab/)
  const { code, stdout } = await installed(project, 'lint', '--json')
  assert.equal([code, JSON.parse(stdout).files], [3, 0])
})

test('Installed before them, it shares a project with express and nunjucks, and there is one chokidar', async () => {
  await shares(project, [[NUNJUCKS, EXPRESS]])
})

test('No module of it imports a package', () => {
  const dist = join(ROOT, 'dist')
  const imported = /^(?:import|export)\b.*?\bfrom ["']([^"']+)["']|\bimport\(["']([^"']+)["']\)/gm
  for (const path of filesBelow(dist).filter((each) => each.endsWith('.js'))) {
    const text = readFileSync(join(dist, path), 'utf8')
    const names = [...text.matchAll(imported)].map(([, named = '', loaded]) => loaded ?? named)
    assert.equal(
      names.filter((name) => !name.startsWith('.') && !isBuiltin(name)),
      [],
      path,
    )
  }
})

const ORDERS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  ...(LONG ? { 'in one command': [[tarball, EXPRESS, NUNJUCKS]] } : {}),
  'after them': [[NUNJUCKS, EXPRESS], [tarball]],
}
for (const [order, commands] of Object.entries(ORDERS)) {
  test(`Installed ${order}, it shares a project with express and nunjucks, and there is one chokidar`, async () => {
    const own = createProject()
    await shares(own, commands)
    own.close()
  })
}

async function shares(found: MenusFolder, commands: readonly (readonly string[])[]): Promise<void> {
  for (const specifiers of commands) assert.not.match(await install(found, ...specifiers), /ERESOLVE/)
  assert.equal(chokidars(found), [packageJson.devDependencies.chokidar])
  assert.equal(hazards(found), [])
}

test.run()
