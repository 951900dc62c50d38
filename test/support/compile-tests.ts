import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { BUNDLE } from '../../.build/bundle.js'
import packageJson from '../../package.json' with { type: 'json' }

/** Packages that stay packages: all but those that the product bundles together with its sources. */
const INSTALLED = Object.keys(packageJson.devDependencies).filter((name) => name !== 'ajv' && name !== 'yaml')

/** A source knows itself by where it was written, not by where its code is put. */
const writtenWhere: Plugin = {
  name: 'written-where',
  setup(plugin) {
    plugin.onLoad({ filter: /\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8')
        .replaceAll(/\bimport\.meta\.url\b/g, JSON.stringify(pathToFileURL(path).href))
        .replaceAll(/\bimport\.meta\.dirname\b/g, JSON.stringify(dirname(path))),
      loader: 'ts',
    }))
  },
}

/**
 * Compiles test files, and the sources that they import, once for all of them.
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
