import { isScalar } from '../../model/context.js'
import { isMap } from '../../model/json.js'
import type { Context, Scalar } from '../../model/menu.js'
import { compareText } from '../../model/problem.js'
import { contentHash } from '../../store/hash.js'
import type { HttpProblem } from '../../web/problem-json.js'
import { needPath } from '../deeds/faults.js'
import { copyMenu, createMenu } from '../deeds/menus.js'
import { needDocument, type Workspace } from '../deeds/workspace.js'
import { formPage } from '../forms/form-page.js'
import { type FormError, toError, toFormError } from '../forms/trouble.js'
import { fromTyped, toMap, toTyped } from '../forms/typed-text.js'
import type { Fields, Page } from '../page.js'
import { attempt } from '../refusal.js'
import type { Texts } from '../texts/language.js'
import { createPathTo } from './path-to.js'

/** Pairs of a context that the form offers, and that it can show of a menu that is copied. */
const FEWEST_PAIRS = 3
/** Menus whose items a new one can begin with; there is a page to copy any. */
const MOST_SOURCES = 500
const PAIRS: readonly number[] = Array.from({ length: 16 }, (_, place) => place + 1)

/** The form for a new menu, or for a copy of the one in the file `from`. */
export function newMenuPage(workspace: Workspace): Page {
  const { current, home } = workspace
  return formPage<Fields>({
    template: 'new-menu',
    find: ({ query }, form) => {
      const from = query.get('from')
      if (form !== null || from === undefined || query.has('code')) return form ?? query
      const source = needDocument(workspace, needPath(from))
      const { code, name, context } = toMap(source.value ?? {})
      const pairs = Object.entries(toMap(context)).flatMap(([key, value], place): [string, string][] => [
        [`key${place + 1}`, key],
        [`value${place + 1}`, toTyped(value)],
      ])
      const version = contentHash(source.bytes)
      const own = { from, version, code: String(code ?? ''), name: String(name ?? '') }
      return new Map([...Object.entries(own), ...pairs])
    },
    view: ({ t }, fields, _, { problem = null }) => {
      const typed = (field: string): string => fields.get(field) ?? ''
      const filled =
        PAIRS.findLast((place) => typed(`key${place}`) !== '' || typed(`value${place}`) !== '') ?? 0
      const from = typed('from')
      return {
        title: from === '' ? t.newMenu.title : t.fill(t.newMenu.copyTitle, { file: from }),
        current: 'new',
        from,
        // Sent again, the form is about the menu as it is now.
        version: (isOutdated(problem) && problem?.members?.['version']) || typed('version'),
        code: typed('code'),
        name: typed('name'),
        pairs: PAIRS.slice(0, Math.max(filled, FEWEST_PAIRS)).map((place) => ({
          place,
          key: typed(`key${place}`),
          value: typed(`value${place}`),
        })),
        hasContext: filled > 0 || from !== '',
        copies: !fields.has('code') || fields.has('copy'),
        items: typed('items'),
        sources: [...current().served.values()]
          .map(({ menu, path }) => ({ file: path, name: menu.name }))
          .sort((a, b) => compareText(a.name, b.name))
          .slice(0, MOST_SOURCES),
      }
    },
    toErrors,
    submit: async ({ t, operator }, form) => {
      const { context, errors } = readContext(t, form)
      const code = form.get('code')?.trim() ?? ''
      if (code === '') errors.unshift(toError('code', t.newMenu.needsCode))
      const file = form.get('from') || form.get('items') || null
      const own = { code, name: form.get('name')?.trim() || null, context, isDry: errors.length > 0 }
      // Ticked by default, and hidden until a context is chosen.
      const begins = form.has('copy') && Object.keys(context).length > 0
      const publish = () =>
        file === null
          ? createMenu(workspace, operator, { ...own, empty: !begins })
          : copyMenu(workspace, operator, { ...own, file, version: form.get('version') || null })
      if (own.isDry) {
        const { fault: problem } = await attempt(publish)
        const more = code !== '' && problem?.code === 'invalid-menu' ? toErrors(t, problem) : []
        return { errors: [...more, ...errors] }
      }
      const [made] = (await publish()).files.map(({ path }) => path)
      return { location: createPathTo(home)('edit', made ?? '', { did: 'created' }) }
    },
  })
}

/** The context of the pairs that were filled in. */
function readContext({ newMenu }: Texts, form: Fields): { context: Context; errors: FormError[] } {
  const pairs = new Map<string, Scalar>()
  const errors: FormError[] = []
  for (const place of PAIRS) {
    const key = form.get(`key${place}`)?.trim() ?? ''
    const value = form.get(`value${place}`)?.trim() ?? ''
    if (key === '' && value === '') continue
    if (key === '') errors.push(toError(`key${place}`, newMenu.needsKey))
    else if (pairs.has(key)) errors.push(toError(`key${place}`, newMenu.repeatedKey))
    pairs.set(key, toScalar(value))
  }
  return { context: Object.fromEntries(pairs), errors }
}

/** The value of a text: a value of JSON where it is a scalar, else itself. */
function toScalar(text: string): Scalar {
  const value = fromTyped(text)
  return isScalar(value) ? value : text
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
