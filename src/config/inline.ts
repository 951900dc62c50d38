import { isError, toProblem } from '../model/problem.js'
import type { Options } from '../service/options.js'
import { ConfigurationError } from './configuration-error.js'
import type { Layer } from './layer.js'
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
