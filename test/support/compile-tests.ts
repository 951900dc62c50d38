import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin, transform } from 'esbuild'
import { BUNDLE } from '../../.build/bundle.js'
import packageJson from '../../package.json' with { type: 'json' }
import { COMPILED } from './programs.js'

/** Packages that the build replaces: the schema compiler by compiled code, the typeface by its bytes. */
const REPLACED = ['ajv', '@fontsource-variable/inter']
const { dependencies, devDependencies } = packageJson
const INSTALLED = Object.keys({ ...dependencies, ...devDependencies }).filter(
  (name) => !REPLACED.includes(name),
)

/** A source knows itself by where it was written, not by where its code is put. */
const writtenWhere: Plugin = {
  name: 'written-where',
  setup(plugin) {
    plugin.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      // Most do not ask where they are: esbuild reads those by itself.
      if (!text.includes('import.meta')) return null
      const define = {
        'import.meta.url': JSON.stringify(pathToFileURL(path).href),
        'import.meta.dirname': JSON.stringify(dirname(path)),
      }
      const { code } = await transform(text, { loader: 'ts', sourcefile: path, sourcemap: 'inline', define })
      return { contents: code, loader: 'js' }
    })
  },
}

/**
 * Compiles test files and programs that they start (programs.ts), and the sources that they import, once for all of them.
 *
 * @returns for each path in `paths`, relative to `dir`, the program to run. They lie in a folder within `dir`, from
 *   which packages are found, and go with this process.
 * @throws when a file does not compile
 */
export async function compileTests(
  dir: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const outdir = mkdtempSync(join(dir, '.compiled-'))
  process.env[COMPILED] = outdir
  process.on('exit', () => rmSync(outdir, { recursive: true, force: true }))
  await build({
    ...BUNDLE,
    absWorkingDir: dir,
    entryPoints: [...paths],
    outbase: dir,
    outdir,
    external: INSTALLED,
    sourcemap: 'linked',
    plugins: [...BUNDLE.plugins, writtenWhere],
  })
  return new Map(
    paths.map((path) => [path, join(outdir, dirname(path), basename(path).replace(/\.ts$/, '.js'))]),
  )
}
