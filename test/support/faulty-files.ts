import * as fs from 'node:fs'
import { mkdtempSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { BUNDLE } from '../../.build/bundle.js'

/** What befalls a call: an error in place of it, or behind the first half of what it should write. */
export interface FileFault {
  readonly code: string
  readonly isShort?: boolean
}

/** Decides about a call to the file system; called before each. */
export type Injector = (call: string) => FileFault | null

declare global {
  /** Asked by the file system calls of modules that `importFaulty` loaded; null lets all pass. */
  var injectFileFault: Injector | null
}
globalThis.injectFileFault = null

/** Calls that fail in no way that a caller could notice, or that only ask about this process. */
const SURE = ['existsSync', 'closeSync']

/** The file system for modules that are tried out: the real one, whose calls fail when the injector says so. */
const faultyFiles: Plugin = {
  name: 'faulty-files',
  setup(plugin) {
    plugin.onResolve({ filter: /^node:fs$/ }, ({ importer }) =>
      /\/src\/store\//.test(importer) ? { path: 'fs', namespace: 'faulty' } : null,
    )
    plugin.onLoad({ filter: /./, namespace: 'faulty' }, () => {
      const names = Object.entries(fs).flatMap(([name, call]) =>
        typeof call === 'function' && name.endsWith('Sync') && !SURE.includes(name) ? [name] : [],
      )
      const others = Object.keys(fs).filter((name) => name !== 'default' && !names.includes(name))
      const contents = `
        import * as fs from 'node:fs'
        export { ${others.join(', ')} } from 'node:fs'
        const faulty = (name) => {
          const call = fs[name]
          const made = (...args) => {
            const fault = globalThis.injectFileFault?.(name) ?? null
            if (fault === null) return call(...args)
            if (fault.isShort && name === 'writeFileSync') fs.writeSync(args[0], Buffer.from(args[1]), 0, Buffer.byteLength(args[1]) >> 1)
            if (fault.isShort && name === 'writeSync') fs.writeSync(args[0], args[1], args[2], args[3] >> 1, args[4])
            throw Object.assign(new Error(fault.code + ': injected, ' + name), { code: fault.code, syscall: name })
          }
          // Such as realpathSync.native.
          for (const key of Object.keys(call)) made[key] = call[key]
          return made
        }
        ${names.map((name) => `export const ${name} = faulty('${name}')`).join('\n')}
      `
      return { contents, loader: 'js' }
    })
  },
}

/** Imports a module of the tests whose modules of `src/store/` have a file system that fails when `injectFileFault` says so. */
export async function importFaulty<Module>(url: string): Promise<Module> {
  const file = fileURLToPath(url)
  const outdir = mkdtempSync(join(dirname(file), '.faulty-'))
  try {
    await build({
      ...BUNDLE,
      entryPoints: [file],
      outdir,
      splitting: false,
      plugins: [...BUNDLE.plugins, faultyFiles],
    })
    return (await import(pathToFileURL(join(outdir, basename(file).replace(/\.ts$/, '.js'))).href)) as Module
  } finally {
    rmSync(outdir, { recursive: true, force: true })
  }
}
