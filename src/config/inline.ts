import { isError, toProblem } from '../model/problem.js'
import { ConfigurationError } from './configuration-error.js'
import type { Layer } from './layer.js'
import type { Options } from './options.js'
import { readGiven } from './plain-data.js'
import { settleOptions } from './settle.js'

type Section = 'storage' | 'cache' | 'api' | 'limits' | 'lint'

/** Options that a program gives, with the names and sections of a configuration file. All have the same defaults. */
export type InlineOptions = { readonly [Name in Section]?: Partial<Options[Name]> } & {
  readonly [Name in
    | 'locales'
    | 'default_locale'
    | 'icon_library_prefix_map'
    | 'routes'
    | 'permissions']?: Options[Name]
}

/** Their names, whose values the schema judges. */
export const INLINE_NAMES: { readonly [Name in keyof Required<InlineOptions>]: 'any' } = {
  storage: 'any',
  cache: 'any',
  locales: 'any',
  default_locale: 'any',
  api: 'any',
  icon_library_prefix_map: 'any',
  routes: 'any',
  permissions: 'any',
  limits: 'any',
  lint: 'any',
}

/** The options that a program gives over the defaults. Throws ConfigurationError when one cannot be used. */
export function readInlineOptions(values: InlineOptions, base: string): Options {
  const { options, problems } = settleOptions([toLayer(values)], base)
  if (problems.some(isError)) throw new ConfigurationError(problems)
  return options
}

function toLayer(given: InlineOptions): Layer {
  const { values, issues, fault } = readGiven(given, 'options')
  if (fault !== null) {
    throw new ConfigurationError([toProblem({ code: 'bad-option', path: 'options', what: `${fault}.` })])
  }
  const problems = issues.map(({ code, what, pointer, suggestion }) =>
    toProblem({
      code,
      path: toPlace(pointer.join('.')),
      what,
      todo: 'Give the option another value, or leave it out.',
      suggestion: suggestion ?? null,
    }),
  )
  return { values, problems, originOf: (name) => ({ kind: 'code', where: toPlace(name) }) }
}

function toPlace(name: string): string {
  return name === '' ? 'options' : `options.${name}`
}
