import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { build, type Plugin } from 'esbuild'
import { BUNDLE, ROOT } from './bundle.js'

/** What is CommonJS requires what node has; a module asks node for it, so that it can be taken in by other bundles. */
const requiredBuiltins: Plugin = {
  name: 'required-builtins',
  setup(plugin) {
    plugin.onResolve({ filter: /^/ }, ({ path, kind }) =>
      kind === 'require-call' && isBuiltin(path) ? { path, namespace: 'builtin' } : undefined,
    )
    plugin.onLoad({ filter: /^/, namespace: 'builtin' }, ({ path }) => {
      const found = `process.getBuiltinModule(${JSON.stringify(path)})`
      // commander starts programs, none of ours: it need not be ready for that.
      const isLate = path === 'node:child_process'
      return { contents: `module.exports = ${isLate ? `{ get spawn() { return ${found}.spawn } }` : found}` }
    })
  },
}

/** The commands that are loaded together, as they need nearly the same; a file costs more to load than what it may hold in vain. */
const TOGETHER: readonly (readonly string[])[] = [
  ['config', 'git-setup', 'lint', 'list', 'new'],
  ['diff', 'menu-history'],
]

/** Makes one module of the commands that are loaded together. */
const commandsTogether: Plugin = {
  name: 'commands-together',
  setup(plugin) {
    plugin.onResolve({ filter: /^\.\/[\w-]+\.js$/ }, ({ path, kind, importer }) => {
      const names = TOGETHER.find((each) => each.includes(path.slice(2, -3)))
      const isCommand = kind === 'dynamic-import' && importer === `${ROOT}src/cli/program.ts`
      return isCommand && names !== undefined ? { path: names.join(' '), namespace: 'commands' } : undefined
    })
    plugin.onLoad({ filter: /^/, namespace: 'commands' }, ({ path }) => ({
      contents: path.replaceAll(/[\w-]+/g, (name) => `export * from './${name}.js'\n`),
      resolveDir: `${ROOT}src/cli`,
    }))
  },
}

await rm(`${ROOT}dist`, { recursive: true, force: true })
await mkdir(`${ROOT}dist`)
const { metafile } = await build({
  ...BUNDLE,
  entryPoints: { cli: 'src/cli.ts', index: 'src/index.ts', 'parse-worker': 'src/store/live/parse-worker.ts' },
  outdir: 'dist',
  // Every package is taken in: whoever installs this one gets the versions that were tested, and one file in place of a hundred.
  external: ['node:*'],
  plugins: [...BUNDLE.plugins, requiredBuiltins, commandsTogether],
})
await chmod(`${ROOT}dist/cli.js`, 0o755)

/** The folders of the packages of which something is taken in. */
const takenIn = new Set(
  Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.keys(inputs).flatMap((path) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []),
  ),
)

/** Packages that ship no licence file, and one of the same author under the same licence that does. */
const WITHOUT_LICENCE: Readonly<Record<string, string>> = {
  'node_modules/polka': 'node_modules/trouter',
  'node_modules/@polka/url': 'node_modules/trouter',
}

/** Each with its version, for whoever looks for advisories, and its licence, which wants to be told. */
const notices = [...takenIn].sort().map(async (folder) => {
  const { name, version } = JSON.parse(await readFile(`${ROOT}${folder}/package.json`, 'utf8'))
  const home = `${ROOT}${WITHOUT_LICENCE[folder] ?? folder}`
  const file = (await readdir(home)).find((each) => /^licen[cs]e(\.md)?$/i.test(each))
  const licence = await readFile(`${home}/${file}`, 'utf8')
  return `${name} ${version}\n\n${licence.trim()}\n`
})
await writeFile(`${ROOT}dist/THIRD-PARTY.txt`, (await Promise.all(notices)).join('\n----\n\n'))
