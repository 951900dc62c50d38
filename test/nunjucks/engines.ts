import { createRequire } from 'node:module'

/** What the tests need of an environment of nunjucks. */
export interface Environment {
  readonly renderString: (template: string, context: object) => string
  readonly render: (name: string, context: object, done: Done) => void
  readonly addFilter: (name: string, filter: (value: unknown) => unknown) => unknown
  readonly getFilter: (name: string) => (...args: never[]) => unknown
  readonly addGlobal: (name: string, value: unknown) => unknown
  readonly getGlobal: (name: string) => unknown
  readonly express: (app: unknown) => unknown
  /** Compiles a text once for many renderings. */
  readonly compile: (source: string) => (context: object) => string
  /** Compiles a text as `nunjucks precompile` does, and renders what came of it. */
  readonly precompile: (source: string) => (context: object) => string
}

type Done = (error: unknown, html: string | null) => void

export interface EnvironmentOptions {
  /** Default: true, as in nunjucks. */
  readonly autoescape?: boolean
  /** Templates by name, for `include`, `import` and `extends`. */
  readonly templates?: Readonly<Record<string, string>>
}

/** A copy of nunjucks, or of its successor. */
export interface Engine {
  readonly name: string
  readonly create: (options?: EnvironmentOptions) => Environment
}

interface EngineModule {
  readonly Environment: new (
    loader: { readonly getSource: (name: string) => unknown },
    options: { readonly autoescape: boolean },
  ) => Environment
  readonly Template: new (
    source: object | string,
    environment: Environment,
  ) => { readonly render: (context: object) => string }
  readonly precompileString: (source: string, options: object) => string
}

/** Neither package has types, and both are CommonJS. */
export const requireUntyped: NodeJS.Require = createRequire(import.meta.url)

export const ENGINES: readonly Engine[] = ['nunjucks', '@11ty/nunjucks'].map((name) => ({
  name,
  create: ({ autoescape = true, templates = {} } = {}) => {
    const engine = requireUntyped(name) as EngineModule
    const getSource = (path: string) => ({ src: templates[path] ?? `no ${path}`, path, noCache: false })
    const environment = new engine.Environment({ getSource }, { autoescape })
    const precompile: Environment['precompile'] = (source) => {
      const wrapper = ([page]: readonly { readonly template: string }[]) => page?.template
      const code = engine.precompileString(source, { name: 'page.njk', env: environment, wrapper })
      const template = new engine.Template({ type: 'code', obj: new Function(code)() }, environment)
      return (context) => template.render(context)
    }
    const compile: Environment['compile'] = (source) => {
      const template = new engine.Template(source, environment)
      return (context) => template.render(context)
    }
    return Object.assign(environment, { compile, precompile })
  },
}))

/** Copies of the engines that nobody has used yet. */
export function freshEngines(): readonly Engine[] {
  for (const path of Object.keys(requireUntyped.cache)) {
    if (path.includes('nunjucks')) delete requireUntyped.cache[path]
  }
  return ENGINES
}
