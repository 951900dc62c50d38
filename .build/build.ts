import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { fileURLToPath } from 'node:url'
import standaloneModule from 'ajv/dist/standalone/index.js'
import { build, type Plugin } from 'esbuild'
import configSchema from '../schemas/config.schema.json' with { type: 'json' }
import menuSchema from '../schemas/menu.schema.json' with { type: 'json' }
import { createAjv } from '../src/document/ajv.js'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Replaces `validators.ts` by code compiled from the schemas, so that the schema compiler is not needed to run. */
const compiledValidators: Plugin = {
  name: 'compiled-validators',
  setup(plugin) {
    plugin.onLoad({ filter: /src\/document\/validators\.ts$/ }, () => {
      const ajv = createAjv({ code: { source: true, esm: true } })
      ajv.addSchema(menuSchema, 'menu').addSchema(configSchema, 'config')
      const standalone = standaloneModule.default
      const contents = standalone(ajv, { validateMenu: 'menu', validateConfig: 'config' })
      return { contents, loader: 'js', resolveDir: root }
    })
  },
}

/** What is CommonJS requires what node has; a module asks node for it, so that it can be taken in by other bundles. */
const requiredBuiltins: Plugin = {
  name: 'required-builtins',
  setup(plugin) {
    plugin.onResolve({ filter: /^/ }, ({ path, kind }) =>
      kind === 'require-call' && isBuiltin(path) ? { path, namespace: 'builtin' } : undefined,
    )
    plugin.onLoad({ filter: /^/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)})`,
    }))
  },
}

await rm(`${root}/dist`, { recursive: true, force: true })
await mkdir(`${root}/dist`)
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: { cli: 'src/cli.ts', index: 'src/index.ts', 'parse-worker': 'src/store/parse-worker.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  chunkNames: 'chunk-[hash]',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
  // As modules, which start and run faster than their CommonJS twins.
  mainFields: ['module', 'main'],
  alias: { yaml: `${root}/node_modules/yaml/browser/index.js` },
  // Every package is taken in: whoever installs this one gets the versions that were tested, and one file in place of a hundred.
  external: ['node:*'],
  plugins: [compiledValidators, requiredBuiltins],
})
await chmod(`${root}/dist/cli.js`, 0o755)

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
  const { name, version } = JSON.parse(await readFile(`${root}/${folder}/package.json`, 'utf8'))
  const home = `${root}/${WITHOUT_LICENCE[folder] ?? folder}`
  const file = (await readdir(home)).find((each) => /^licen[cs]e(\.md)?$/i.test(each))
  const licence = await readFile(`${home}/${file}`, 'utf8')
  return `${name} ${version}\n\n${licence.trim()}\n`
})
await writeFile(`${root}/dist/THIRD-PARTY.txt`, (await Promise.all(notices)).join('\n----\n\n'))
