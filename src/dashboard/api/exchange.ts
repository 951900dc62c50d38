import type { Notes } from '../../document/exchange/draft.js'
import { exportMenu } from '../../document/exchange/export.js'
import { type Import, importMenus, MENUS_AT_LIMITS } from '../../document/exchange/import.js'
import { toModeline } from '../../document/new-menu.js'
import { describeContext, toContextKey } from '../../model/context.js'
import { done, failed } from '../../model/result.js'
import { readMenu, toParseOptions } from '../../review/reading.js'
import { contentHash } from '../../store/hash.js'
import { createPause } from '../../store/pause.js'
import { createFileNames, findSchema } from '../../store/publish/new-file.js'
import type { Edit } from '../../store/publish/plan.js'
import { type Answered, badParameter, type Call, type Endpoints, JSON_TYPES, judgeFile } from './call.js'
import { type Editing, publish } from './editing.js'
import { problemOf, toProblemMember } from './faults.js'

/** The endpoints for the JSON of the Symfony bundle. */
export function exchangeEndpoints(editing: Editing): Endpoints {
  return {
    '/export': { GET: { role: 'view', answer: (call) => exportAll(editing, call) } },
    '/import': {
      POST: {
        role: 'edit',
        types: JSON_TYPES,
        isText: true,
        maxBytes: MENUS_AT_LIMITS * editing.config.options.limits.bytes,
        answer: (call) => importAll(editing, call),
      },
    },
  }
}

/** All menus that are served, or the one of `?file=`, with what each loses. */
export function exportAll(editing: Editing, { query, operator }: Pick<Call, 'query' | 'operator'>): Answered {
  const { config, current, defaults, tally } = editing
  const named = query.get('file')
  const { value: file, fault } = named === undefined ? done(undefined) : judgeFile(named)
  if (fault !== null) return failed(fault)
  const paths = [...current().served.keys()].filter((path) => file === undefined || path === file)
  const exported = paths.flatMap((path) => {
    const value = readMenu(config, path)?.value ?? null
    return value === null ? [] : [{ file: path, ...exportMenu(value, defaults) }]
  })
  const { id: user, via, address } = operator
  tally(`export ${user}`, {
    user,
    via,
    address,
    action: 'export',
    file: file ?? null,
    menus: exported.length,
  })
  const menus = exported.map(({ block }) => block)
  const notes = exported.map(({ block: _, ...rest }) => rest)
  return done({ value: query.get('notes') === 'true' ? { menus, notes } : { menus } })
}

/** Writes all menus of a payload, or none: a menu that exists is kept (`?mode=skip`) or replaced (`?mode=replace`). */
export async function importAll(editing: Editing, { query, body, operator, isDry }: Call): Promise<Answered> {
  const { config, current, defaults } = editing
  const mode = query.get('mode') ?? 'skip'
  if (mode !== 'skip' && mode !== 'replace') return failed(BAD_MODE)
  const bytes = new TextEncoder().encode(String(body))
  const pause = createPause()
  let found: Import = { menus: [], notes: [], refusals: 0, omitted: 0 }
  for (const next of importMenus(bytes, toParseOptions(config), defaults.defaultLocale)) {
    found = next
    await pause()
  }
  const { menus, notes, refusals, omitted } = found
  const said = { notes, refusals, omitted }
  if (refusals > 0) return failed(problemOf('import-refused', said))
  const { files, index } = current()
  const toName = createFileNames(
    config.options.storage.file_prefix,
    files.map(({ path }) => path),
  )
  // All new files are at the top.
  const schema = findSchema(config.menusFolder, NEW_NAME)
  const modeline = toModeline(schema.copy === null ? schema.path : null, '\n')
  const skipped: string[] = []
  const edits: Edit[] = []
  for (const { menu, text } of menus) {
    const { code, context } = menu
    const known = index.get(code)?.get(toContextKey(context))?.path
    if (known === undefined)
      edits.push({ kind: 'text', path: toName(code, context), version: null, text: modeline + text })
    else if (mode === 'skip') skipped.push(`${code} with ${describeContext(context)} exists as ${known}`)
    else {
      const before = readMenu(config, known)
      const version = before === null ? null : contentHash(before.bytes)
      edits.push({ kind: 'text', path: known, version, text })
    }
    await pause()
  }
  const { value, fault } = await publish(editing, edits, { operator, isDry, action: 'import' })
  if (fault !== null) return failed({ ...fault, members: { ...fault.members, ...said } })
  const written = value.files.map(
    ({ path, before, after }) =>
      ({
        file: path,
        what: before === null ? 'added' : before === after ? 'unchanged' : 'replaced',
      }) as const,
  )
  const reply: ImportReply = { written, skipped, ...said, problems: value.problems.map(toProblemMember) }
  return done({ value: reply })
}

/** What an import wrote, or would write. */
export interface ImportReply extends Notes {
  readonly written: readonly { readonly file: string; readonly what: 'added' | 'replaced' | 'unchanged' }[]
  /** The menus that were there already, in words. */
  readonly skipped: readonly string[]
  readonly problems: readonly object[]
}

const NEW_NAME = 'new.yaml'
const BAD_MODE = badParameter('mode', 'mode is skip or replace.')
