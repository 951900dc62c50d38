import { labelChain, lookUpLocale } from '../model/locale.js'
import { toPlainJson } from '../model/plain-json.js'
import { buildReport } from '../review/diff/build.js'
import { toDiffHtml } from '../review/diff/html.js'
import { toDiffMarkdown } from '../review/diff/markdown.js'
import {
  type DiffFormat,
  type DiffReport,
  type FailOn,
  isFinding,
  toDiffJson,
} from '../review/diff/report.js'
import { readStates } from '../review/diff/states.js'
import { toDiffText } from '../review/diff/text.js'
import { type Paint, toPaint } from '../review/ink.js'
import { toReading } from '../review/reading.js'
import { refuse } from '../review/refusal.js'
import { toSeen } from '../review/site.js'
import { toKeys } from '../service/hooks.js'
import { type CommandContext, type Flags, needMenus, note, saveAs } from './command.js'
import type { Ending } from './exit-codes.js'
import { noteSetup } from './setup-note.js'

type DiffFlags = Flags<'json', 'locale' | 'permissions' | 'code' | 'output'> & {
  readonly format: DiffFormat
  readonly failOn?: FailOn
}

/** Writes a report in one of the forms, without a line break at its end. */
const WRITERS: Readonly<Record<DiffFormat, (report: DiffReport, paint: Paint) => string>> = {
  text: toDiffText,
  markdown: toDiffMarkdown,
  json: (report) => toPlainJson(toDiffJson(report), 2),
  html: toDiffHtml,
}

/** `menuscript diff`: what a change does to the menus, menu by menu and item by item. */
export async function diff(context: CommandContext, flags: DiffFlags, range?: string): Promise<Ending> {
  const { terminal } = context
  const config = await needMenus(context, flags)
  const reading = await toReading(config)
  const { locales } = reading.settings
  const locale =
    flags.locale === undefined ? locales.defaultLocale : lookUpLocale(flags.locale, locales.locales)
  if (locale === null) {
    const known = locales.locales.join(', ')
    const what = `--locale ${JSON.stringify(flags.locale)} is not one of the locales (${known})`
    return refuse('usage', what)
  }
  const states = await readStates(range ?? null, config, reading.options, flags.code ?? null)
  for (const { state, title } of [states.base, states.head])
    if (state === null) note(context, `there is no folder ${config.menusFolder} in ${title}`)
  await noteSetup(context, config, states.head.state?.snapshot.problems ?? [])
  const report = buildReport(states, {
    rules: config.options.lint.rules,
    locale,
    chain: labelChain(locale, locales),
    viewer: flags.permissions === undefined ? null : toKeys(flags.permissions),
    code: flags.code ?? null,
    fileOf: (path) => toSeen(config, path),
  })
  const paint = flags.output === undefined ? terminal.paintOut : toPaint(false)
  const text = WRITERS[flags.json ? 'json' : flags.format](report, paint)
  if (flags.output === undefined) terminal.out(text)
  else saveAs(context, flags.output, `${text}\n`)
  const isClosed = flags.failOn !== undefined && isFinding(report, flags.failOn)
  return isClosed ? 'findings' : 'fine'
}
