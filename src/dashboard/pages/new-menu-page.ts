import { toClosed } from '../../model/direction.js'
import { isMap } from '../../model/json.js'
import type { Context } from '../../model/menu.js'
import { compareText } from '../../model/problem.js'
import { contentHash } from '../../store/hash.js'
import type { Publication } from '../../store/publish/queue.js'
import type { HttpProblem } from '../../web/problem-json.js'
import { countChanges } from '../deeds/draft-changes.js'
import { ownDraft } from '../deeds/edited-menu.js'
import { needPath } from '../deeds/faults.js'
import { copyMenu, createMenu } from '../deeds/menus.js'
import { needDocument, type Workspace } from '../deeds/workspace.js'
import { addsCondition, fromContext, readContext, toContextFields, yesNoIn } from '../forms/context-fields.js'
import { formPage } from '../forms/form-page.js'
import { type FormError, type Trouble, toError, toFormError } from '../forms/trouble.js'
import { toMap } from '../forms/typed-text.js'
import type { Fields, Page } from '../page.js'
import { attempt } from '../refusal.js'
import type { Texts } from '../texts/language.js'
import { toPairs } from './menu-rows.js'
import { createPathTo } from './path-to.js'

/** Menus whose items a new one can begin with; there is a page to copy any. */
const MOST_SOURCES = 500

/** What keeps a menu from being made; `unknown` is a key that was probably meant to be another, and is taken the next time. */
interface NewMenuTrouble extends Trouble {
  readonly unknown?: string
}

/** The form for a new menu, or for a copy of the one in the file `from`. */
export function newMenuPage(workspace: Workspace): Page {
  const { current, home } = workspace
  return formPage<Fields, NewMenuTrouble>({
    template: 'new-menu',
    find: ({ query }, form) => {
      const from = query.get('from')
      if (form !== null || from === undefined || query.has('code')) return form ?? query
      const source = needDocument(workspace, needPath(from))
      const { code, name, context } = toMap(source.value ?? {})
      const version = contentHash(source.bytes)
      const variant = query.get('variant') ?? ''
      // In a list, a variant with the same name as its menu would look like the menu.
      const shown = variant === '' ? String(name ?? '') : ''
      const own = { from, version, variant, code: String(code ?? ''), name: shown }
      return new Map([...Object.entries(own), ...fromContext(toMap(context))])
    },
    view: ({ t, operator }, fields, form, { problem = null, unknown }) => {
      const typed = (field: string): string => fields.get(field) ?? ''
      const from = typed('from')
      const isVariant = typed('variant') !== ''
      const source = current().served.get(from)?.menu
      const draft = ownDraft(workspace, from, operator.id)
      return {
        title:
          from === ''
            ? t.newMenu.title
            : t.fill(isVariant ? t.variant.title : t.newMenu.copyTitle, { file: source?.name ?? from }),
        sourceContext: toPairs(source?.context ?? {}),
        isVariant,
        current: 'new',
        from,
        // Sent again, the form is about the menu as it is now.
        version: (isOutdated(problem) && problem?.members?.['version']) || typed('version'),
        code: typed('code'),
        ...{ name: typed('name'), visibleFrom: typed('visibleFrom') },
        context: toContextFields(fields, workspace.current()),
        unknown,
        changes: draft === null ? 0 : countChanges(draft),
        withDraft: form?.has('draft') ?? false,
        copies: !fields.has('code') || fields.has('copy'),
        items: typed('items'),
        sources: [...current().served.values()]
          .map(({ menu, path }) => ({ file: path, name: menu.name, context: toPairs(menu.context) }))
          .sort((a, b) => compareText(a.name, b.name))
          .slice(0, MOST_SOURCES),
      }
    },
    toErrors,
    submit: async ({ t, operator }, form) => {
      if (addsCondition(form)) return {}
      const { context: read, faults } = readContext(form, yesNoIn(current(), t))
      const context = read as Context
      const errors = faults.map(({ field, reason }) => toError(field, t.newMenu[reason]))
      const code = form.get('code')?.trim() ?? ''
      if (form.has('variant') && Object.keys(context).length === 0 && errors.length === 0)
        return { errors: [toError('key1', t.newMenu.needsCondition)] }
      if (code === '') errors.unshift(toError('code', t.newMenu.needsCode))
      const file = form.get('from') || form.get('items') || null
      const own = { code, name: form.get('name')?.trim() || null, context }
      // Ticked by default, and hidden until a context is chosen.
      const begins = form.has('copy') && Object.keys(context).length > 0
      const version = form.get('version') || null
      const how = {
        withDraft: form.has('draft'),
        visibleFrom: form.get('visibleFrom')?.trim() || null,
      }
      const publish = (isDry: boolean) =>
        file === null
          ? createMenu(workspace, operator, { ...own, isDry, empty: !begins })
          : copyMenu(workspace, operator, { ...own, isDry, file, version }, how)
      if (errors.length > 0) {
        const { fault: problem } = await attempt(() => publish(true))
        const more = code !== '' && problem?.code === 'invalid-menu' ? toErrors(t, problem) : []
        return { errors: [...more, ...errors] }
      }
      const unknown = Object.keys(context).length === 0 ? null : unknownIn(await publish(true), context)
      if (unknown !== null && form.get('unknown') !== unknown.key) {
        const { key, meant } = unknown
        const text = t.fill(t.contexts.unknown, { key: toClosed(key), meant: toClosed(meant) })
        const field = [...form].find(([name, typed]) => /^key\d+$/.test(name) && typed.trim() === key)?.[0]
        return { errors: [toError(field ?? 'key1', text)], unknown: key }
      }
      const [made] = (await publish(false)).files.map(({ path }) => path)
      return { location: createPathTo(home)('edit', made ?? '', { did: 'created' }) }
    },
  })
}

/** The key of a new menu that no other menu has, and the near one that was probably meant. */
function unknownIn(
  { files, problems }: Publication,
  context: Context,
): { readonly key: string; readonly meant: string } | null {
  const found = problems.find(({ code, path }) => code === 'unknown-context' && path === files[0]?.path)
  const key = Object.keys(context).find((each) => found?.what.includes(JSON.stringify(each)))
  return key === undefined ? null : { key, meant: found?.suggestion ?? '' }
}

/** Whether the menu that is copied is another one than the form was about; that of the new file is not asked for. */
function isOutdated(fault: HttpProblem | null): boolean {
  return fault?.code === 'changed' && typeof fault.members?.['asked'] === 'string'
}

/** A refusal as errors at their fields, where the form has the field. */
function toErrors(t: Texts, fault: HttpProblem): FormError[] {
  const { newMenu } = t
  const { code, detail, members: { file, problems } = {} } = fault
  if (code === 'menu-exists') return [toError('code', t.fill(newMenu.taken, { file: String(file) }))]
  if (isOutdated(fault)) return [toError(null, newMenu.sourceChanged)]
  if (code === 'uncopyable') return [toError('copy', newMenu.uncopyable)]
  if (code === 'bad-context') return [{ field: 'key1', text: detail, isTranslated: false }]
  if (code === 'invalid-menu' && Array.isArray(problems))
    return problems.filter(isMap).map(({ pointer, what }) => {
      const field = String(pointer).split('/')[1] ?? null
      if (field === 'code') return toError('code', newMenu.badCode)
      return { field: field === 'context' ? 'key1' : field, text: String(what), isTranslated: false }
    })
  return [toFormError(t, fault)]
}
