import { fileURLToPath } from 'node:url'
import type { BuildOptions, Plugin } from 'esbuild'
import configSchema from '../schemas/config.schema.json' with { type: 'json' }
import menuSchema from '../schemas/menu.schema.json' with { type: 'json' }
import { compiledPages } from './pages.js'

export const ROOT: string = fileURLToPath(new URL('..', import.meta.url))

/** Replaces `validators.ts` by code compiled from the schemas, so that the schema compiler is not needed to run. */
const compiledValidators: Plugin = {
  name: 'compiled-validators',
  setup(plugin) {
    plugin.onLoad({ filter: /src\/document\/read\/validators\.ts$/ }, async () => {
      // Slow to load, and most of what is bundled does not need it.
      const [{ createAjv }, { default: standaloneModule }] = await Promise.all([
        import('../src/document/read/ajv.js'),
        import('ajv/dist/standalone/index.js'),
      ])
      const ajv = createAjv({ code: { source: true, esm: true } })
      ajv.addSchema(menuSchema, 'menu').addSchema(configSchema, 'config')
      const standalone = standaloneModule.default
      const contents = standalone(ajv, { validateMenu: 'menu', validateConfig: 'config' })
      return { contents, loader: 'js', resolveDir: ROOT }
    })
  },
}

/** How the sources become JavaScript, in the package and in tests alike. */
export const BUNDLE: BuildOptions & { readonly plugins: Plugin[] } = {
  absWorkingDir: ROOT,
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
  alias: { yaml: `${ROOT}node_modules/yaml/browser/index.js` },
  plugins: [compiledValidators, compiledPages],
}
