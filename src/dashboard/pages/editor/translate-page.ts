import { toName } from '../../../change/actions/outcome.js'
import type { Operation } from '../../../change/operations/operation.js'
import { type Translatable, translatablesOf } from '../../../document/exchange/translations.js'
import { toClosed } from '../../../model/direction.js'
import type { Json } from '../../../model/json.js'
import { type Locale, labelChain } from '../../../model/locale.js'
import { done, failed } from '../../../model/result.js'
import { contentHash } from '../../../store/hash.js'
import { countChanges, outdatedIn } from '../../deeds/draft-changes.js'
import { type EditedMenu, findEdited } from '../../deeds/edited-menu.js'
import { errorsAfter, takeStep } from '../../deeds/steps.js'
import type { Workspace } from '../../deeds/workspace.js'
import { fileIn, formPage } from '../../forms/form-page.js'
import { isForAll, readLabel, toLabelFields } from '../../forms/label-fields.js'
import { type FormError, toError, toFound } from '../../forms/trouble.js'
import { toMap } from '../../forms/typed-text.js'
import type { Fields, Page } from '../../page.js'
import { toPageNumber } from '../page-number.js'
import { createPathTo } from '../path-to.js'
import { missingIn } from './rows.js'

/** Rows of one page, and fields of its form, which may have some more. */
const ROWS = 100
const FIELDS = 1_800
/** Bytes of its form. */
const MAX_FORM = 1_048_576

/** The texts of a menu in all languages, as a table: those with gaps first, then those for all. What is typed into it is one step of the draft. */
export function translatePage(workspace: Workspace): Page {
  const { home, settings } = workspace
  const { locales } = settings
  const to = createPathTo(home)
  const rowsOfPage = Math.max(1, Math.min(ROWS, Math.floor(FIELDS / (locales.locales.length + 1))))

  const judge = (menu: EditedMenu, typed: readonly Typed[], operations: readonly Operation[]) =>
    errorsAfter(workspace, menu, { operations, pointer: '' }).flatMap((problem): readonly FormError[] => {
      const row = typed.find(({ text }) => `${problem.pointer}/`.startsWith(`${text.pointer}/`))
      if (row === undefined) return []
      const locale = problem.pointer.slice(row.text.pointer.length + 1)
      return [toFound(`${row.name}:${locale || locales.defaultLocale}`, problem)]
    })

  return formPage<EditedMenu>({
    template: 'translate',
    maxForm: MAX_FORM,
    find: (call, form) => findEdited(workspace, call.operator, fileIn(call), form?.get('state')),
    view: ({ t, query }, menu, form, { problem }) => {
      const texts = textsOf(menu)
      const gaps = texts.filter(({ label }) => missingIn(label, locales.locales).length > 0)
      const forAll = texts.filter(({ label }) => isForAll(label, locales.locales))
      const wished = toWhich(query)
      const which = wished === 'gaps' && gaps.length === 0 ? 'all' : wished
      const columns = columnsOf(which)
      const first = texts.filter(({ label }) => missingIn(label, columns).length > 0)
      const all = [...new Set([...first, ...forAll, ...(which === 'gaps' ? [] : texts)])]
      const pages = Math.max(1, Math.ceil(all.length / rowsOfPage))
      const page = toPageNumber(query, pages)
      const typed = form === null ? null : typedIn(form, menu)
      const shown =
        typed?.rows.map(({ text }) => text) ?? all.slice((page - 1) * rowsOfPage).slice(0, rowsOfPage)
      const chain = labelChain(t.lang, locales)
      const outdated = menu.draft === null ? null : outdatedIn(menu.draft, locales)
      const items = new Map(menu.items.all.map((item) => [item.pointer, item]))
      const saved = query.get('saved') ?? ''
      return {
        title: t.fill(t.languages.title, {
          name: toClosed(String(toMap(menu.change.value)['name'] ?? menu.file)),
        }),
        ...{ file: menu.file, locales: columns, which, page, pages },
        // Refused as it is, it is still about what it was about.
        state: (problem ? form?.get('state') : undefined) ?? menu.state,
        numbers: { gaps: gaps.length, forAll: forAll.length, all: texts.length },
        languages: locales.locales.map((locale) => ({
          locale,
          gaps: texts.filter(({ label }) => missingIn(label, [locale]).length > 0).length,
        })),
        pathOf: (number: number) => to('translate', menu.file, { which, page: String(number) }),
        here: to('translate', menu.file, { which, page: String(page) }),
        lost: typed?.lost ?? [],
        hasChanges: menu.draft !== null && countChanges(menu.draft) > 0,
        saved:
          menu.draft !== null && /^[1-9]\d{0,3}$/.test(saved)
            ? t.fill(t.languages.saved, { count: Number(saved) })
            : null,
        rows: shown.map((text, place) => {
          const name = typed?.rows[place]?.name ?? String(place)
          const missing = missingIn(text.label, locales.locales)
          const item = items.get(text.pointer.replace(/\/label$/, ''))
          const parent = item?.parent?.parent ? item.parent : null
          return {
            ...{ name, key: text.key, label: item && text.label },
            isForAll: isForAll(text.label, locales.locales),
            check: outdated?.get(item?.pointer ?? '') ?? [],
            title: item ? toName(item.item, t.actions, chain) : t.languages.menu,
            within: parent && toName(parent.item, t.actions, chain),
            fields: toLabelFields(text.label, locales)
              .filter(({ locale }) => columns.includes(locale))
              .map((field) => ({
                ...field,
                name: `${name}:${field.locale}`,
                text: form?.get(`${name}:${field.locale}`) ?? field.text,
                isGap: missing.includes(field.locale),
              })),
          }
        }),
      }
    },
    submit({ t, operator, query }, form, menu) {
      const { rows } = typedIn(form, menu)
      const changed = rows.filter(({ text, label }) => label !== text.label)
      const operations = changed.map(
        ({ text, label = '' }): Operation => ({ op: 'replace', path: text.pointer, value: label }),
      )
      let errors: readonly FormError[] = []
      const wish = {
        state: form.get('state') ?? '',
        wish: contentHash(JSON.stringify(['translate', ...form])),
      }
      const { fault } = takeStep(workspace, operator.id, menu, wish, () => {
        errors = changed
          .filter(({ label }) => label === undefined)
          .map(({ name }) => toError(`${name}:${locales.defaultLocale}`, t.itemForm.needsLabel))
        if (errors.length === 0) errors = judge(menu, changed, operations)
        if (errors.length > 0 || operations.length === 0) return failed({ reason: 'same' })
        return done({ operations, pointer: '' })
      })
      if (errors.length > 0) return { errors }
      if (fault === 'stale') return { errors: [toError(null, t.languages.stale)], status: 409 }
      return {
        location: to('translate', menu.file, { which: toWhich(query), saved: String(changed.length) }),
      }
    },
  })

  /** Which texts are asked for: `gaps`, `all`, or those of a language. */
  function toWhich(query: Fields): string {
    return ['all', ...locales.locales].find((each) => each === query.get('which')) ?? 'gaps'
  }

  /** The languages of a table: all, or one beside the one that is translated from. */
  function columnsOf(which: string): readonly Locale[] {
    if (!locales.locales.includes(which)) return locales.locales
    return locales.locales.filter((locale) => locale === which || locale === locales.defaultLocale)
  }

  function textsOf({ change }: EditedMenu): readonly Translatable[] {
    return translatablesOf(toMap(change.value), locales)
  }

  /** The rows of a form whose items are there, and what was typed for others. */
  function typedIn(
    form: Fields,
    menu: EditedMenu,
  ): { readonly rows: readonly Typed[]; readonly lost: readonly string[] } {
    const texts = new Map(textsOf(menu).map((text) => [text.key, text]))
    const rows: Typed[] = []
    const lost: string[] = []
    for (const [field, key] of [...form].slice(0, FIELDS + ROWS)) {
      const [, name] = /^key:(\d{1,3})$/.exec(field) ?? []
      if (name === undefined) continue
      const text = texts.get(key)
      const typed = locales.locales.flatMap((locale): [string, string][] => {
        const value = form.get(`${name}:${locale}`)
        return value === undefined ? [] : [[`label:${locale}`, value]]
      })
      if (text === undefined)
        lost.push(...typed.map(([, value]) => value).filter((value) => value.trim() !== ''))
      else rows.push({ name, text, label: readLabel(new Map(typed), text.label, locales) })
    }
    return { rows, lost }
  }
}

/** What was typed into a row: the label that it makes, undefined where all fields are empty. */
interface Typed {
  readonly name: string
  readonly text: Translatable
  readonly label: Json | undefined
}
