import { readFileSync, symlinkSync } from 'node:fs'
import { extname, join } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { compile } from 'svelte/compiler'
import { compileScript, parse } from 'vue/compiler-sfc'
import type { TreeNode } from '../../src/client/client.js'
import { ROOT } from '../readme/readme.js'
import { createMenusFolder, type MenusFolder } from '../support/menus-folder.js'

/** Where the code of our pages expects the service. */
const DOCUMENTED = 'http://127.0.0.1:4400'
export const RECIPES: string = join(ROOT, 'test/sites/recipes')

/** The text of a file of a recipe, for a service at another address. */
export function recipeText(path: string, url: string): string {
  return readFileSync(join(RECIPES, path), 'utf8').replaceAll(DOCUMENTED, url)
}

/** Compiles the files of a recipe as the tools of its framework do. */
function framework(url: string): Plugin {
  return {
    name: 'framework',
    setup(plugin) {
      plugin.onLoad({ filter: /recipes\// }, ({ path }) => {
        const text = readFileSync(path, 'utf8').replaceAll(DOCUMENTED, url)
        const kind = extname(path)
        if (kind === '.svelte')
          return { contents: compile(text, { filename: path, generate: 'server' }).js.code, loader: 'js' }
        if (kind !== '.vue') return { contents: text, loader: 'jsx' }
        const { descriptor, errors } = parse(text, { filename: path })
        if (errors.length > 0) throw errors[0]
        const { content } = compileScript(descriptor, { id: path, inlineTemplate: true })
        return { contents: content, loader: 'js' }
      })
    },
  }
}

/** A folder from which the packages of this project are found. */
export function createRecipeFolder(): MenusFolder {
  const folder = createMenusFolder()
  symlinkSync(join(ROOT, 'node_modules'), join(folder.dir, 'node_modules'))
  return folder
}

/** Bundles a file of a recipe, for a service at `url`: for a browser whole, for Node without the framework. */
export async function bundleRecipe(
  path: string,
  url: string,
  outfile: string,
  inBrowser: boolean,
): Promise<void> {
  await build({
    ...{ entryPoints: [join(RECIPES, path)], outfile, bundle: true, format: 'esm', jsx: 'automatic' },
    ...{ plugins: [framework(url)], logLevel: 'warning', define: { 'process.env.NODE_ENV': '"production"' } },
    ...(inBrowser ? {} : { platform: 'node', external: ['react', 'react-dom', 'vue', 'svelte'] }),
  })
}

/** The elements of a menu, without the attributes but `href`, the comments and the spaces that frameworks put between them. */
export function toBare(html: string): string {
  return html
    .replace(/<!--.*?-->/gs, '')
    .replace(/<(\w+)(?:\s+(href="[^"]*")|\s+[\w:-]+(?:="[^"]*")?)*\s*\/?>/g, (_, name, href) =>
      href === undefined ? `<${name}>` : `<${name} ${href}>`,
    )
    .replace(/>\s+|\s+</g, (edge) => edge.trim())
}

/** What every recipe makes of a tree. */
export function toHtml(nodes: readonly TreeNode[]): string {
  const items = nodes.map(({ itemType, label, href, children }) => {
    const text = label.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
    const name =
      href === '#' ? `<span>${text}</span>` : `<a href="${href.replaceAll('&', '&amp;')}">${text}</a>`
    return `<li>${itemType === 'divider' ? '<hr>' : name}${children.length > 0 ? toHtml(children) : ''}</li>`
  })
  return `<ul>${items.join('')}</ul>`
}

/** A page that has a menu. */
export function navOf(html: string): string {
  return /<nav\b.*<\/nav>/s.exec(html)?.[0] ?? ''
}
