import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { build, type Plugin, transform } from 'esbuild'

interface Nunjucks {
  readonly Environment: new (loaders: readonly [], options: object) => object
  readonly precompileString: (
    text: string,
    options: { name: string; env: object; wrapper: (parts: readonly { template: string }[]) => string },
  ) => string
}

/**
 * Replaces `compiled.ts` by the templates beside it as functions, by the style sheet and its font, and by what runs in browsers,
 * and `all.ts` by the texts of all languages: no page needs a file to be shown.
 */
export const compiledPages: Plugin = {
  name: 'compiled-pages',
  setup(plugin) {
    // As JSON, the texts are smaller than as JavaScript, and faster to load.
    plugin.onLoad({ filter: /src\/dashboard\/texts\/all\.ts$/ }, async ({ path }) => {
      const folder = path.replace(/[^/]+$/, '')
      const files = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort()
      const lines = files.map(async (name) => {
        const text = JSON.stringify(JSON.parse(await readFile(`${folder}${name}`, 'utf8')))
        return `export const ${name.slice(0, -'.json'.length)} = JSON.parse(${JSON.stringify(text)})\n`
      })
      const watchFiles = files.map((name) => `${folder}${name}`)
      return { contents: (await Promise.all(lines)).join(''), loader: 'js', watchFiles }
    })
    plugin.onLoad({ filter: /src\/dashboard\/pages\/compiled\.ts$/ }, async ({ path }) => {
      const folder = path.replace(/[^/]+$/, '')
      const nunjucks = createRequire(import.meta.url)('nunjucks') as Nunjucks
      const env = new nunjucks.Environment([], { autoescape: true, throwOnUndefined: true })
      const names = (await readdir(`${folder}templates`)).sort()
      const files = names.map((name) => `${folder}templates/${name}`)
      const templates = names.map(async (name, place) => {
        const text = await readFile(files[place] ?? '', 'utf8')
        const wrapper = ([part]: readonly { template: string }[]): string => part?.template ?? ''
        // Indentation is for whoever reads the template.
        const code = nunjucks.precompileString(text.replace(/^\s+/gm, ''), { name, env, wrapper })
        return `${JSON.stringify(name)}: (() => {\n${code}\n})(),\n`
      })
      const style = await readFile(`${folder}style.css`, 'utf8')
      const { code: small } = await transform(style, { loader: 'css', minify: true, target: 'es2020' })
      const compiled = `export const TEMPLATES = {\n${(await Promise.all(templates)).join('')}}`
      const { code } = await transform(compiled, { minify: true, target: 'node20' })
      const { outputFiles } = await build({
        entryPoints: [`${folder}../browser/start.ts`],
        bundle: true,
        minify: true,
        format: 'esm',
        target: ['chrome111', 'firefox114', 'safari16.4'],
        write: false,
      })
      const [script] = outputFiles.map(({ text }) => text)
      const contents = `${code}export const STYLE = ${JSON.stringify(small)}
export const SCRIPT = ${JSON.stringify(script)}
export { default as FONT } from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'\n`
      return { contents, loader: 'js', resolveDir: folder, watchFiles: [...files, `${folder}style.css`] }
    })
  },
}
