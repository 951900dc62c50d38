import { readDocument } from '../document/menu-document.js'
import { judgeDocument } from '../document/parse.js'
import { toVisible } from '../document/source.js'
import { isError } from '../model/problem.js'
import { findOne } from '../review/history/find-menu.js'
import { toPlainJson } from '../review/plain-json.js'
import { toParseOptions } from '../review/reading.js'
import { type CommandContext, need, needConfig } from './command.js'
import { EXIT } from './exit-codes.js'
import { type MenuFlags, toWanted } from './flag-values.js'

export interface ShowFlags extends MenuFlags {
  readonly json: boolean
}

/** `menuscript show`: prints the file of a menu as it was in a commit, or as it is, byte by byte. */
export async function show(context: CommandContext, flags: ShowFlags, code: string): Promise<number> {
  const { terminal, folder } = context
  const config = await needConfig(context, flags)
  const found = need(context, await findOne(config, folder, toWanted(context, flags, code)))
  const { text, place } = found
  const options = toParseOptions(config)
  const document = readDocument(text.path, text.bytes, options.limits)
  const { problems, menu } = judgeDocument(document, options)
  const error = problems.find(isError)
  if (error !== undefined) {
    terminal.err(toVisible(`note: ${place}:${error.line}:${error.column} is broken: ${error.what}`))
  }
  if (!flags.json) {
    terminal.write(text.bytes)
    return EXIT.fine
  }
  const json = {
    version: 1,
    file: text.seen,
    at: found.commit,
    code,
    context: text.claim.context,
    menu: menu === null ? null : document.value,
    problems: problems.map((problem) => ({ ...problem, path: place })),
  }
  terminal.out(toPlainJson(json, 2))
  return EXIT.fine
}
