import { MAX_BYTES, TRANSLATION_FORMATS } from '../../../document/exchange/translation-rows.js'
import { isList, isMap } from '../../../model/json.js'
import { importTranslations, type TranslationsReply } from '../../deeds/translations.js'
import type { Workspace } from '../../deeds/workspace.js'
import { formPage } from '../../forms/form-page.js'
import { type Trouble, toError } from '../../forms/trouble.js'
import type { Fields, Page } from '../../page.js'
import { countOf, MOST, toShownFiles } from './import-page.js'

interface Outcome extends Trouble {
  /** What the import would do. */
  readonly plan?: TranslationsReply
}

/** The texts of menus for translators, and the import of what they send back: it shows first what it would do. */
export function translationsPage(workspace: Workspace): Page {
  const { home, settings } = workspace
  return formPage<null, Outcome>({
    template: 'translations',
    maxForm: 3 * MAX_BYTES,
    find: () => null,
    view: ({ t, query }, _, form, { plan = null, problem }) => {
      const written = plan?.written ?? []
      const done = query.get('written') ?? ''
      return {
        title: t.files.translations.title,
        current: 'import',
        /** The menu whose texts are exported; empty for all. */
        file: query.get('file') ?? '',
        formats: TRANSLATION_FORMATS,
        locales: settings.locales.locales,
        plan,
        text: form === null ? '' : textOf(form),
        withOutdated: form?.get('outdated') === 'on',
        state: plan?.version ?? '',
        written: toShownFiles(written.slice(0, MOST)),
        count: countOf(written),
        moreWritten: Math.max(0, written.length - MOST),
        ...toRows(plan ?? problem?.members),
        done: /^\d{1,5}$/.test(done) ? t.fill(t.files.exchange.done, { count: Number(done) }) : null,
      }
    },
    submit: async ({ t, operator }, form) => {
      const text = textOf(form)
      if (text.trim() === '') return { errors: [toError('translated', t.files.translations.needed)] }
      const wish = { text, withOutdated: form.get('outdated') === 'on' }
      const plan = await importTranslations(workspace, operator, { ...wish, shown: undefined, isDry: true })
      if (form.get('do') !== 'import') return { plan }
      if (form.get('state') !== plan.version)
        return { plan, errors: [toError(null, t.files.exchange.stale)], status: 412 }
      const shown = plan.version
      const { written } = await importTranslations(workspace, operator, { ...wish, shown, isDry: false })
      return { location: `${home}/translations?written=${countOf(written)}` }
    },
  })
}

/** What was uploaded, else what was pasted. */
function textOf(form: Fields): string {
  return form.get('translated') || (form.get('text') ?? '')
}

/** The rows that are wrong or outdated, and how many of them are not listed. */
function toRows(members: unknown): object {
  const { errors, problems, outdated, omitted } = isMap(members) ? members : {}
  const listOf = (value: unknown) => (isList(value) ? value.filter(isMap) : [])
  return {
    faults: listOf(errors),
    outdated: listOf(outdated),
    more: typeof omitted === 'number' ? omitted : 0,
    problems: listOf(problems).slice(0, MOST),
  }
}
