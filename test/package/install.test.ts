import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import packageJson from '../../package.json' with { type: 'json' }
import { ROOT } from '../readme/readme.js'
import { LONG } from '../support/figures.js'
import type { MenusFolder } from '../support/menus-folder.js'
import { runProcess } from '../support/process.js'
import { createProject, filesBelow, install, installed, installedPackages, pack } from './project.js'

const { express, nunjucks, '@11ty/nunjucks': eleventy } = packageJson.devDependencies
const EXPRESS = `express@${express}`
const NUNJUCKS = `nunjucks@${nunjucks}`
const ELEVENTY = `@11ty/nunjucks@${eleventy}`
/** Packages of an install into an empty project, this one included. */
const MOST_PACKAGES = 20
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

/** The versions of chokidar in a project: the optional peer of nunjucks must not bring another. */
function chokidars(project: MenusFolder): readonly string[] {
  return installedPackages(project)
    .filter(({ name }) => name === 'chokidar')
    .map(({ version }) => version)
}

const project = createProject()
test.after(() => project.close())

test('It installs at most 20 packages, at the tested versions, without native code and install scripts', async () => {
  const said = await install(project, tarball)
  const packages = installedPackages(project)
  assert.ok(packages.length <= MOST_PACKAGES, `${packages.map(({ name }) => name)}`)
  assert.equal(chokidars(project), [packageJson.dependencies.chokidar])
  assert.equal(hazards(project), [])
  assert.not.match(said, /ERESOLVE|deprecated|EBADENGINE|vulnerab/)
  for (const [name, wanted] of Object.entries(packageJson.dependencies))
    assert.is(packages.find((each) => each.name === name)?.version, wanted, name)
  const { code, stdout } = await installed(project, 'lint', '--json')
  assert.equal([code, JSON.parse(stdout).files], [3, 0])
})

test('Its bill of materials and its dependencies name everything that it runs', async () => {
  const { code, stdout } = await runProcess('npm', ['ls', '--all', '--json', '--omit=dev'], {
    cwd: project.dir,
  })
  assert.is(code, 0)
  const seen = [...stdout.matchAll(/^\s+"([^"]+)": \{$/gm)].map(([, name]) => name)
  for (const { name } of installedPackages(project)) assert.ok(seen.includes(name), name)
})

test('Installed before them, it shares a project with express and nunjucks, and there is one chokidar', async () => {
  await shares(project, [[NUNJUCKS, EXPRESS, ELEVENTY]])
})

test('Its modules import only what it declares as dependencies', () => {
  const dist = join(ROOT, 'dist')
  const imported = /^(?:import|export)\b[^;]*?\bfrom ["']([^"']+)["']|\bimport\(["']([^"']+)["']\)/gm
  const found = filesBelow(dist)
    .filter((path) => path.endsWith('.js'))
    .flatMap((path) => [...readFileSync(join(dist, path), 'utf8').matchAll(imported)])
    .map(([, named = '', loaded]) => loaded ?? named)
    .filter((name) => !name.startsWith('.') && !isBuiltin(name))
    .map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name)
  const { dependencies, peerDependencies } = packageJson
  assert.equal([...new Set(found)].sort(), Object.keys({ ...peerDependencies, ...dependencies }).sort())
})

const ORDERS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  ...(LONG ? { 'in one command': [[tarball, EXPRESS, NUNJUCKS, ELEVENTY]] } : {}),
  'after them': [[NUNJUCKS, EXPRESS, ELEVENTY], [tarball]],
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
  assert.equal(chokidars(found), [packageJson.dependencies.chokidar])
  assert.equal(hazards(found), [])
}

test.run()
