import { findItem } from '../../../change/actions/action.js'
import { toName } from '../../../change/actions/outcome.js'
import { MAX_BYTES, TRANSLATION_FORMATS } from '../../../document/exchange/translation-rows.js'
import { textIn } from '../../../document/exchange/translations.js'
import { toClosed } from '../../../model/direction.js'
import { labelChain } from '../../../model/locale.js'
import { BADLY_ENCODED } from '../../../web/multipart.js'
import { waitingDrafts } from '../../deeds/drafts.js'
import { type EditedMenu, findEdited } from '../../deeds/edited-menu.js'
import { addToDrafts } from '../../deeds/steps.js'
import { type DraftedTranslations, planForDrafts } from '../../deeds/translations.js'
import type { Workspace } from '../../deeds/workspace.js'
import { formPage } from '../../forms/form-page.js'
import { type Trouble, toError } from '../../forms/trouble.js'
import { toMap } from '../../forms/typed-text.js'
import type { Call, Fields, Page } from '../../page.js'
import type { Texts } from '../../texts/language.js'
import { createPathTo } from '../path-to.js'
import { MOST } from './import-page.js'

interface Outcome extends Trouble {
  /** What the import would do. */
  readonly plan?: DraftedTranslations
}

/** The texts of menus for translators, and the import of what they send back into drafts: it shows first what it would do. */
export function translationsPage(workspace: Workspace): Page {
  const { home, settings } = workspace
  const { locales } = settings
  const to = createPathTo(home)
  const nameOf = ({ change, file }: EditedMenu): string =>
    toClosed(String(toMap(change.value)['name'] ?? file))

  /** What changes in words: numbers, and the first texts of each menu before and after. */
  const toShown = ({ t }: Call, { edits }: DraftedTranslations): object => {
    const chain = labelChain(t.lang, locales)
    const languages = new Set(edits.flatMap(({ rows }) => rows.flatMap(({ changed }) => [...changed.keys()])))
    let room = MOST
    const menus = edits.map(({ file, base: menu, rows, texts }) => {
      const all = rows.slice(0, room).flatMap(({ text, changed }) => {
        const item = findItem(menu.items, text.pointer.replace(/\/label$/, ''))
        const title = item ? toName(item.item, t.actions, chain) : t.languages.menu
        const about = { title, label: item && text.label }
        return [...changed].map(([locale, after]) => {
          return { ...about, locale, before: textIn(text.label, locale, locales), after }
        })
      })
      const shown = all.slice(0, room)
      room -= shown.length
      return { file, name: nameOf(menu), rows: shown, more: texts - shown.length, items: rows.length }
    })
    return { menus, languages: [...languages], items: menus.reduce((sum, { items }) => sum + items, 0) }
  }

  return formPage<EditedMenu | null, Outcome>({
    template: 'translations',
    maxForm: 3 * MAX_BYTES,
    find: ({ query, operator }) =>
      query.has('file') ? findEdited(workspace, operator, query.get('file') ?? '') : null,
    view: async (call, menu, form, { plan = null }) => {
      const { t, query, operator } = call
      const added = query.get('added') ?? ''
      return {
        title: menu === null ? t.files.translations.title : t.fill(t.languages.title, { name: nameOf(menu) }),
        ...(menu === null && { current: 'import' }),
        /** The menu whose texts are exported; empty for all. */
        file: menu?.file ?? '',
        formats: TRANSLATION_FORMATS,
        locales: locales.locales,
        text: form === null ? '' : textOf(form),
        withOutdated: form?.get('outdated') === 'on',
        ...{ plan, state: plan?.version ?? '' },
        count: plan === null ? 0 : textsIn(plan),
        shown: plan && toShown(call, plan),
        added: /^\d{1,6}$/.test(added) ? toAdded(t, query) : null,
        drafts: added === '' ? [] : await waitingDrafts(workspace, operator),
      }
    },
    submit: async ({ t, operator }, form, menu) => {
      const text = textOf(form)
      if (form.has(`translated${BADLY_ENCODED}`))
        return { errors: [toError('translated', t.files.exchange.notUtf8)] }
      if (text.trim() === '') return { errors: [toError('translated', t.files.translations.needed)] }
      const wish = { text, withOutdated: form.get('outdated') === 'on' }
      const plan = await planForDrafts(workspace, operator, wish, menu?.file ?? null)
      const isRefused = plan.edits.length === 0 && plan.faults.length > 0
      if (isRefused) return { plan, errors: [toError('translated', t.files.exchange.refusedLead)] }
      if (form.get('do') !== 'import' || plan.edits.length === 0) return { plan }
      if (form.get('state') !== plan.version)
        return { plan, errors: [toError(null, t.files.exchange.stale)], status: 412 }
      await addToDrafts(workspace, operator, plan)
      const [first, ...others] = plan.edits
      const added = String(textsIn(plan))
      const left = plan.left + plan.others
      const numbers = { added, ...(left > 0 && { left: String(left) }) }
      if (first === undefined || others.length > 0)
        return { location: `${home}/translations?${new URLSearchParams(numbers)}` }
      return { location: to('edit', first.file, { did: 'translated', ...numbers }) }
    },
  })
}

/** What an import did, by the numbers of an address: texts that were added, and rows that were left out. */
export function toAdded({ fill, intoDrafts }: Texts, query: Fields): string {
  const [count, left] = ['added', 'left'].map((name) => Number(query.get(name)) || 0)
  const more = left ? [fill(intoDrafts.leftOut, { count: left })] : []
  return [fill(intoDrafts.added, { count: count ?? 0 }), ...more].join(' ')
}

function textsIn({ edits }: DraftedTranslations): number {
  return edits.reduce((sum, { texts }) => sum + texts, 0)
}

/** What was uploaded, else what was pasted. */
function textOf(form: Fields): string {
  return form.get('translated') || (form.get('text') ?? '')
}
