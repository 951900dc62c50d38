import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { render } from 'svelte/server'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createSSRApp } from 'vue'
import { renderToString } from 'vue/server-renderer'
import { createMenuClient } from '../../src/client/client.js'
import { ROOT } from '../readme/readme.js'
import { withServer } from '../readme/shell.js'
import { bundleRecipe, createRecipeFolder, toBare, toHtml } from './recipes.js'

/** What a module of a recipe exports. */
type Module = Readonly<Record<string, (...given: never[]) => unknown>>

/** How each framework renders its recipe on a server. */
const RENDERINGS: Readonly<Record<string, (load: (path: string) => Promise<Module>) => Promise<string>>> = {
  async react(load) {
    const { render } = await load('react/server.jsx')
    return (await render?.('es' as never)) as string
  },
  async vue(load) {
    const { default: component } = await load('vue/SiteMenu.vue')
    return renderToString(createSSRApp(component as never, { locale: 'es' }))
  },
  async svelte(load) {
    const [{ load: loadData }, { default: component }] = await Promise.all([
      load('svelte/load.js'),
      load('svelte/Menu.svelte'),
    ])
    const props = await loadData?.({ fetch, params: { locale: 'es' } } as never)
    return render(component as never, { props: props as never }).body
  },
}

for (const [name, renderWith] of Object.entries(RENDERINGS)) {
  test(`The recipe for ${name} renders the menu of the service`, async () => {
    await withServer('menuscript serve', ROOT, async (url) => {
      const folder = createRecipeFolder()
      const html = await renderWith(async (path) => {
        const outfile = join(folder.dir, `${path}.mjs`)
        await bundleRecipe(path, url, outfile, false)
        return (await import(pathToFileURL(outfile).href)) as Module
      })
      const tree = await createMenuClient(`${url}/api/menu`).tree('main', { locale: 'es' })
      assert.ok(tree.some(({ children }) => children.length > 0))
      assert.is(toBare(html), `<nav>${toHtml(tree)}</nav>`)
      folder.close()
    })
  })
}

test.run()
