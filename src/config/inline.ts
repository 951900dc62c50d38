import { schemaIssues } from '../document/schema.js'
import { validateConfig } from '../document/validators.js'
import { isError, toProblem } from '../model/problem.js'
import type { Options } from '../service/options.js'
import { ConfigurationError } from './configuration-error.js'
import type { Layer } from './layer.js'
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
  // A plain copy, as a file would hold it: what is undefined was not given.
  const values = JSON.parse(JSON.stringify(given)) as Record<string, unknown>
  const problems = schemaIssues(validateConfig, values, () => null).map(
    ({ code, what, pointer, suggestion }) =>
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
