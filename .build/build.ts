import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import standaloneModule from 'ajv/dist/standalone/index.js'
import { build, type Plugin } from 'esbuild'
import packageJson from '../package.json' with { type: 'json' }
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

/** What npm installs stays outside; only the little that compiled validators need of ajv is taken in. */
const installed = Object.keys(packageJson.dependencies)

await rm(`${root}/dist`, { recursive: true, force: true })
await mkdir(`${root}/dist`)
await build({
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
  external: ['node:*', ...installed],
  plugins: [compiledValidators],
})
await chmod(`${root}/dist/cli.js`, 0o755)

/** What is taken in, and wants its licence told. */
const TAKEN_IN = ['ajv', 'fast-deep-equal']
const notices = TAKEN_IN.map(async (name) => {
  const licence = await readFile(`${root}/node_modules/${name}/LICENSE`, 'utf8')
  return `${name}\n\n${licence.trim()}\n`
})
await writeFile(`${root}/dist/THIRD-PARTY.txt`, (await Promise.all(notices)).join('\n----\n\n'))
