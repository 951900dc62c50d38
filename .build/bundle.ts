import { fileURLToPath } from 'node:url'
import type { BuildOptions, Plugin } from 'esbuild'
import packageJson from '../package.json' with { type: 'json' }
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
    plugin.onLoad({ filter: /src\/dashboard\/validators\.ts$/ }, async () => {
      const [{ createAjv }, { default: standaloneModule }, { BODIES }, { toValidated }] = await Promise.all([
        import('../src/document/read/ajv.js'),
        import('ajv/dist/standalone/index.js'),
        import('../src/dashboard/schemas.js'),
        import('../src/dashboard/schema-parts.js'),
      ])
      const ajv = createAjv({ allErrors: false, verbose: false, code: { source: true, esm: true } })
      for (const [name, schema] of Object.entries(BODIES)) ajv.addSchema(toValidated(schema) as object, name)
      const names = Object.keys(BODIES)
      const validators = standaloneModule.default(ajv, Object.fromEntries(names.map((name) => [name, name])))
      const contents = `${validators}\nexport const VALIDATORS = { ${names.join(', ')} }\n`
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
  // Texts of the dashboard in Arabic would take twice the bytes.
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
  loader: { '.woff2': 'base64' },
  // Dependencies stay packages, and what a host may have installed.
  external: Object.keys({ ...packageJson.dependencies, ...packageJson.peerDependencies }),
  // As modules: the CommonJS build of jsonc-parser cannot be bundled.
  mainFields: ['module', 'main'],
  plugins: [compiledValidators, compiledPages],
}
