import { isError, type Problem, toProblem } from '../model/problem.js'
import { ConfigurationError } from './errors.js'
import { combineLayers } from './layers.js'
import type { Options } from './options.js'
import { readGiven } from './plain-data.js'

const SECTIONS = ['storage', 'cache', 'api', 'limits', 'lint'] as const
const SINGLE = [
  'locales',
  'default_locale',
  'icon_library_prefix_map',
  'icons',
  'routes',
  'permissions',
] as const

/** Options that a program gives, with the names and sections of a configuration file. All have the same defaults. */
export type InlineOptions = { readonly [Name in (typeof SECTIONS)[number]]?: Partial<Options[Name]> } & {
  readonly [Name in (typeof SINGLE)[number]]?: Options[Name]
}

/** Their names, whose values the schema judges. */
export const INLINE_NAMES = Object.fromEntries([...SECTIONS, ...SINGLE].map((name) => [name, 'any'])) as {
  readonly [Name in keyof Required<InlineOptions>]: 'any'
}

/** The options that a program gives over the defaults. Throws ConfigurationError when one cannot be used. */
export function readInlineOptions(given: InlineOptions, base: string): Options {
  const whereOf = (name: string): string => (name === '' ? 'options' : `options.${name}`)
  const todo = 'Give the option another value, or leave it out.'
  const toFault = (fault: string): Problem =>
    toProblem({ code: 'bad-option', path: 'options', what: `${fault}.` })
  const layer = readGiven(given, 'options', { kind: 'code', whereOf }, todo, toFault)
  const { options, problems } = combineLayers([layer], base)
  if (problems.some(isError)) throw new ConfigurationError(problems)
  return options
}
