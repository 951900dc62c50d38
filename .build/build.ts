import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { build, type Metafile, type Plugin } from 'esbuild'
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import packageJson from '../package.json' with { type: 'json' }
import { BUNDLE, ROOT } from './bundle.js'

/** Commands that need nearly the same modules; loading a few needless lines is faster than loading another file. */
const TOGETHER: readonly (readonly string[])[] = [
  ['config', 'git-setup', 'lint', 'list', 'new', 'types'],
  ['diff', 'menu-history'],
]

/** Puts the commands of a group into one module. */
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
const [{ metafile }] = await Promise.all([
  buildCode(),
  buildTypes({ index: 'src/index.ts' }),
  buildTypes({ client: 'src/client/client.ts' }),
  buildTypes({ eleventy: 'src/eleventy.ts' }),
  buildForPages(),
])
await chmod(`${ROOT}dist/cli.js`, 0o755)
await writeNotices(metafile)

/** Bundles our own code: one file loads faster than a hundred. Dependencies stay packages. */
async function buildCode(): Promise<{ readonly metafile: Metafile }> {
  return build({
    ...BUNDLE,
    metafile: true,
    entryPoints: {
      cli: 'src/cli.ts',
      eleventy: 'src/eleventy.ts',
      index: 'src/index.ts',
      'parse-worker': 'src/store/live/parse-worker.ts',
    },
    outdir: 'dist',
    plugins: [...BUNDLE.plugins, commandsTogether],
  })
}

/** What pages load: the client, and the style sheet and the script of menus as HTML. */
async function buildForPages(): Promise<void> {
  const folder = 'src/render/browser'
  await build({
    absWorkingDir: ROOT,
    entryPoints: {
      client: 'src/client/client.ts',
      styles: `${folder}/styles.css`,
      disclosure: `${folder}/disclosure.ts`,
    },
    bundle: true,
    outdir: 'dist',
    format: 'esm',
    minify: true,
    logLevel: BUNDLE.logLevel,
    legalComments: 'none',
    target: 'es2022',
  })
  await buildTypes({ disclosure: `${folder}/disclosure.ts` }, `${folder}/tsconfig.json`)
}

/** Rolls the types of an entry up into one file, which imports nothing but Node's and those of the library. */
async function buildTypes(
  input: Readonly<Record<string, string>>,
  tsconfig = 'tsconfig.json',
): Promise<void> {
  const types = await rolldown({
    cwd: ROOT,
    input,
    external: /^node:|^\.\/index\.js$/,
    plugins: [dts({ oxc: true, emitDtsOnly: true, tsconfig })],
  })
  await types.write({ dir: `${ROOT}dist` })
}

/** Lists the bundled packages with version and licence, and as a bill of materials (CycloneDX 1.6). */
async function writeNotices({ outputs }: Metafile): Promise<void> {
  const inputs = Object.values(outputs).flatMap((output) => Object.keys(output.inputs))
  const folders = new Set(inputs.flatMap((path) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []))
  const packages = await Promise.all([...folders].sort().map(readPackage))
  const notices = packages.map(({ name, version, text }) => `${name} ${version}\n\n${text.trim()}\n`)
  await writeFile(`${ROOT}dist/THIRD-PARTY.txt`, notices.join('\n----\n\n'))
  const components = packages.map(({ name, version, license }) => ({
    type: 'library',
    ...{ name, version },
    purl: `pkg:npm/${name}@${version}`,
    licenses: [{ license: { id: license } }],
  }))
  const { name, version } = packageJson
  const main = { type: 'application', name, version, purl: `pkg:npm/${name}@${version}` }
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: main },
    components,
  }
  await writeFile(`${ROOT}dist/sbom.cdx.json`, `${JSON.stringify(bill, null, 2)}\n`)
}

async function readPackage(
  folder: string,
): Promise<Readonly<Record<'name' | 'version' | 'license' | 'text', string>>> {
  const { name, version, license } = JSON.parse(await readFile(`${ROOT}${folder}/package.json`, 'utf8'))
  const file = (await readdir(`${ROOT}${folder}`)).find((each) => /^licen[cs]e(\.md)?$/i.test(each))
  return { name, version, license, text: await readFile(`${ROOT}${folder}/${file}`, 'utf8') }
}
