import { HtmlBasePlugin, I18nPlugin } from '@11ty/eleventy'
import webc from '@11ty/eleventy-plugin-webc'
import menuscript from 'menuscript/eleventy'

/** The site of a harbour museum, in English and Spanish, published below /museum/. */
// biome-ignore lint/style/noDefaultExport: the convention of Eleventy.
export default function (eleventyConfig) {
  eleventyConfig.addPlugin(menuscript)
  eleventyConfig.addPlugin(I18nPlugin, { defaultLanguage: 'en', errorMode: 'never' })
  eleventyConfig.addPlugin(HtmlBasePlugin)
  eleventyConfig.addPlugin(webc)
  eleventyConfig.addPassthroughCopy({ public: '/' })
  eleventyConfig.setServerOptions({ domDiff: false, showAllHosts: false })
}

export const config = { dir: { input: 'pages' }, pathPrefix: '/museum/', markdownTemplateEngine: 'njk' }
