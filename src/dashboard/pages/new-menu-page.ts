import { isScalar } from '../../model/context.js'
import { isMap } from '../../model/json.js'
import type { Context, Scalar } from '../../model/menu.js'
import { done, failed } from '../../model/result.js'
import type { HttpProblem } from '../../web/problem-json.js'
import { judgeFile } from '../api/call.js'
import { needDocument } from '../api/editing.js'
import { copyMenu, createMenu } from '../api/menus.js'
import { toMap, toTyped } from './editor/typed-text.js'
import { type FormError, toError, toErrorOf, toFormError } from './form-error.js'
import type { Answered, Call, Fields, Page } from './page.js'
import type { Shown } from './shown.js'
import type { Texts } from './texts/en.js'

/** Pairs of a context that the form offers, and that it can show of a menu that is copied. */
const FEWEST_PAIRS = 3
const PAIRS: readonly number[] = Array.from({ length: 16 }, (_, place) => place + 1)

/** The form for a new menu, or for a copy of the one in the file `from`. */
export function newMenuPage({ editing }: Shown, home: string): Page {
  const page = (
    { t }: Call,
    form: Fields,
    errors: readonly FormError[] = [],
    fault: HttpProblem | null = null,
  ): Answered => {
    const typed = (field: string): string => form.get(field) ?? ''
    const filled =
      PAIRS.findLast((place) => typed(`key${place}`) !== '' || typed(`value${place}`) !== '') ?? 0
    const pairs = PAIRS.slice(0, Math.max(filled, FEWEST_PAIRS)).map((place) => ({
      place,
      key: typed(`key${place}`),
      value: typed(`value${place}`),
    }))
    const from = typed('from')
    const model = {
      title: from === '' ? t.newMenu.title : t.newMenu.copyTitle(from),
      current: 'new',
      from,
      code: typed('code'),
      name: typed('name'),
      pairs,
      hasContext: filled > 0 || from !== '',
      copies: !form.has('code') || form.has('copy'),
      errors,
      errorOf: toErrorOf(errors),
    }
    const status = fault?.status ?? (errors.length > 0 ? 422 : 200)
    return done({ template: 'new-menu', model, status, headers: fault?.headers ?? {} })
  }
  const refused = (call: Call, form: Fields, fault: HttpProblem): Answered =>
    page(call, form, toErrors(call.t, fault), fault)
  return {
    role: 'edit',
    show: (call) => {
      const { query } = call
      const from = query.get('from')
      if (from === undefined || query.has('code')) return page(call, query)
      const { value: file, fault } = judgeFile(from)
      if (fault !== null) return failed(fault)
      const source = needDocument(editing, file)
      if (source.fault !== null) return failed(source.fault)
      const { code, name, context } = toMap(source.value.value ?? {})
      const pairs = Object.entries(toMap(context)).flatMap(([key, value], place): [string, string][] => [
        [`key${place + 1}`, key],
        [`value${place + 1}`, toTyped(value)],
      ])
      const own = { from: file, code: String(code ?? ''), name: String(name ?? '') }
      return page(call, new Map([...Object.entries(own), ...pairs]))
    },
    refused,
    submit: async (call, form) => {
      const { context, errors } = readContext(call.t, form)
      const code = form.get('code')?.trim() ?? ''
      const name = form.get('name')?.trim() ?? ''
      if (code === '') errors.unshift(toError('code', call.t.newMenu.needsCode))
      const from = form.get('from')
      const own = { code, name: name === '' ? null : name, context }
      const isCopy = from !== undefined && from !== ''
      // Ticked beforehand, and hidden until somebody wants a context.
      const begins = form.has('copy') && Object.keys(context).length > 0
      const body = isCopy ? { ...own, file: from } : { ...own, empty: !begins }
      const asked = { ...call, id: '', body, isDry: errors.length > 0 }
      const { value, fault } = await (isCopy ? copyMenu : createMenu)(editing, asked)
      if (errors.length > 0) {
        const more = code !== '' && fault?.code === 'invalid-menu' ? toErrors(call.t, fault) : []
        return page(call, form, [...more, ...errors])
      }
      if (fault !== null) return refused(call, form, fault)
      const { file } = value.value as { readonly file: string }
      return done({ location: `${home}/edit?${new URLSearchParams({ file, did: 'created' })}` })
    },
  }
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
  try {
    const value: unknown = JSON.parse(text)
    return isScalar(value) ? value : text
  } catch {
    return text
  }
}

/** A refusal as errors at their fields, where the form has the field. */
function toErrors(t: Texts, fault: HttpProblem): FormError[] {
  const { newMenu } = t
  const { code, detail, members: { file, problems } = {} } = fault
  if (code === 'menu-exists') return [toError('code', newMenu.taken(String(file)))]
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
