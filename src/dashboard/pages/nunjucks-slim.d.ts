/** The runtime of nunjucks without its compiler, as far as pages use it. */
declare module 'nunjucks/browser/nunjucks-slim.min.js' {
  class PrecompiledLoader {
    constructor(templates: Readonly<Record<string, object>>)
  }
  class Environment {
    constructor(loader: PrecompiledLoader, options: { autoescape: boolean; throwOnUndefined: boolean })
    render(name: string, context: object): string
  }
  const nunjucks: {
    readonly Environment: typeof Environment
    readonly PrecompiledLoader: typeof PrecompiledLoader
  }
  // biome-ignore lint/style/noDefaultExport: what a CommonJS module exports
  export default nunjucks
}
