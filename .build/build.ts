import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { build, type Plugin } from 'esbuild'
import packageJson from '../package.json' with { type: 'json' }
import { BUNDLE, ROOT } from './bundle.js'

/** What is CommonJS requires what node has; a module asks node for it, so that it can be taken in by other bundles. */
const requiredBuiltins: Plugin = {
  name: 'required-builtins',
  setup(plugin) {
    plugin.onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === 'require-call' ? { path, namespace: 'builtin' } : undefined,
    )
    plugin.onLoad({ filter: /^/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)})`,
    }))
  },
}

/** What npm installs stays outside. What every command needs is taken in: one file is read in place of a hundred. */
const installed = Object.keys(packageJson.dependencies)

await rm(`${ROOT}dist`, { recursive: true, force: true })
await mkdir(`${ROOT}dist`)
const { metafile } = await build({
  ...BUNDLE,
  entryPoints: { cli: 'src/cli.ts', index: 'src/index.ts', 'parse-worker': 'src/store/parse-worker.ts' },
  outdir: 'dist',
  external: ['node:*', ...installed],
  plugins: [...BUNDLE.plugins, requiredBuiltins],
})
await chmod(`${ROOT}dist/cli.js`, 0o755)

/** The folders of the packages of which something is taken in. */
const takenIn = new Set(
  Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.keys(inputs).flatMap((path) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []),
  ),
)

/** Each with its version, for whoever looks for advisories, and its licence, which wants to be told. */
const notices = [...takenIn].sort().map(async (folder) => {
  const { name, version } = JSON.parse(await readFile(`${ROOT}${folder}/package.json`, 'utf8'))
  const file = (await readdir(`${ROOT}${folder}`)).find((each) => /^licen[cs]e(\.md)?$/i.test(each))
  const licence = await readFile(`${ROOT}${folder}/${file}`, 'utf8')
  return `${name} ${version}\n\n${licence.trim()}\n`
})
await writeFile(`${ROOT}dist/THIRD-PARTY.txt`, (await Promise.all(notices)).join('\n----\n\n'))
