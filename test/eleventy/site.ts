import { cpSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../readme/readme.js'
import { createMenusFolder, type MenusFolder } from '../support/menus-folder.js'
import { type Running, runProcess, startProcess } from '../support/process.js'
import { closing } from '../support/test.js'

interface Said {
  readonly code: number | null
  /** On both streams. */
  readonly said: string
}

/** A site in a folder of its own, which is gone behind the test. */
export interface Site extends MenusFolder {
  readonly read: (path: string) => string
  /** Builds it to its end. */
  readonly build: (...args: readonly string[]) => Promise<Said>
  /** Runs a module of it to its end. */
  readonly run: Site['build']
  /** Starts what `eleventy --serve` does, without its server, which cannot be kept to this machine. */
  readonly serve: (...args: readonly string[]) => Running
}

/** The program of Eleventy. */
export const ELEVENTY: string = join(ROOT, 'node_modules/@11ty/eleventy/cmd.cjs')

/** What `eleventy.config.js` is in sites that need no more. */
export const CONFIG = `import menuscript from 'menuscript/eleventy'
export default (eleventyConfig) => void eleventyConfig.addPlugin(menuscript)
`

/** What the program of Eleventy does with `--serve`, without the last line of it. */
const SERVE = `import Eleventy from '@11ty/eleventy'
const eleventy = new Eleventy('.', '_site', { source: 'cli', quietMode: true, runMode: 'serve' })
await eleventy.init()
eleventy.setIncrementalBuild(process.argv.includes('--incremental'))
await eleventy.watch()
console.log('watching')
process.on('SIGINT', () => eleventy.stopWatch())
`

/** The museum of `test/sites/eleventy` with these files over it. */
export function openMuseum(files: Readonly<Record<string, string>> = {}): Site {
  return openSite(files, (dir) => cpSync(join(ROOT, 'test/sites/eleventy'), dir, { recursive: true }))
}

/** A site of these files. */
export function openSite(
  files: Readonly<Record<string, string>>,
  prepare: (dir: string) => void = () => {},
): Site {
  const folder = closing(
    createMenusFolder({ 'package.json': '{ "type": "module" }', 'node_modules/.keep': '' }),
  )
  prepare(folder.dir)
  folder.write('serve.mjs', SERVE)
  for (const [path, text] of Object.entries(files)) folder.write(path, text)
  symlinkSync(ROOT, join(folder.dir, 'node_modules/menuscript'))
  for (const name of ['@11ty', 'nunjucks'])
    symlinkSync(join(ROOT, 'node_modules', name), join(folder.dir, 'node_modules', name))
  const options = { cwd: folder.dir }
  const run = async (...args: readonly string[]): Promise<Said> => {
    const { code, stdout, stderr } = await runProcess('node', args, options)
    return { code, said: stdout + stderr }
  }
  return {
    ...folder,
    read: (path) => readFileSync(join(folder.dir, path), 'utf8'),
    run,
    build: (...args) => run(ELEVENTY, ...args),
    serve: (...args) => startProcess('node', ['serve.mjs', ...args], options),
  }
}
