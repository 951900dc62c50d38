import { parseMenuFile } from '../document/parse.js'
import { readYamlMap } from '../document/read/read-yaml.js'
import { toVisible } from '../document/source.js'
import { toYamlLimits } from '../model/limits.js'
import { isError } from '../model/problem.js'
import { type CommandContext, loadConfigOrTell } from './command.js'
import { EXIT } from './exit-codes.js'
import { findOne } from './history/find-menu.js'
import { isRefusal, type MenuFlags, tellRefusal } from './history/moment.js'
import { toPlainJson } from './plain-json.js'
import { toParseOptions } from './reading.js'

export interface ShowFlags extends MenuFlags {
  readonly json: boolean
}

/** `menuscript show`: prints the file of a menu as it was in a commit, or as it is, byte by byte. */
export async function show(context: CommandContext, flags: ShowFlags, code: string): Promise<number> {
  const { terminal } = context
  const config = await loadConfigOrTell(context, flags)
  if (config === null) return EXIT.configuration
  const found = await findOne(context, config, flags, code)
  if (isRefusal(found)) return tellRefusal(context, found)
  const { text, place } = found
  const options = toParseOptions(config)
  const { problems, menu } = parseMenuFile(text.path, text.bytes, options)
  const error = problems.find(isError)
  if (error !== undefined) {
    terminal.err(toVisible(`note: ${place}:${error.line}:${error.column} is broken: ${error.what}`))
  }
  if (!flags.json) {
    terminal.write(text.bytes)
    return EXIT.fine
  }
  const { value } = readYamlMap(text.path, text.bytes, toYamlLimits(config.options.limits))
  const listed = problems.map((problem) => ({ ...problem, path: place }))
  const json = {
    version: 1,
    file: text.seen,
    at: found.commit,
    code,
    context: text.claim.context,
    menu: menu === null ? null : value,
    problems: listed,
  }
  terminal.out(toPlainJson(json, 2))
  return EXIT.fine
}
