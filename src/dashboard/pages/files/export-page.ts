import { FILE_TYPES } from '../../../document/exchange/translation-formats.js'
import { TRANSLATION_FORMATS } from '../../../document/exchange/translation-rows.js'
import { exportMenus } from '../../deeds/export.js'
import { needPath } from '../../deeds/faults.js'
import { exportTranslations } from '../../deeds/translations.js'
import type { Workspace } from '../../deeds/workspace.js'
import type { Page } from '../../page.js'

/** All menus, or the one of a file, as a JSON file; with a `format`, their texts for translators, as the operator edits them. */
export function exportPage(workspace: Workspace): Page {
  return {
    role: 'view',
    show: ({ query, operator }) => {
      const file = query.get('file')
      if (file !== undefined) needPath(file)
      const format = TRANSLATION_FORMATS.find((each) => each === query.get('format'))
      if (format === undefined) {
        const write = exportMenus(workspace, operator, { file, hasNotes: false })
        return { write, fileName: toFileName(file ?? 'menus', 'json') }
      }
      const locale = query.get('locale') || undefined
      const write = exportTranslations(workspace, operator, { format, locale, file, withDrafts: true })
      const name = [file ?? 'translations', ...(locale === undefined ? [] : [locale])].join('.')
      return { write, fileName: toFileName(name, FILE_TYPES[format].ending) }
    },
  }
}

/** The name of a menu file without its folder and its ending, in characters that need no quoting. */
function toFileName(file: string, ending: string): string {
  const name = file.replace(/^.*\//, '').replace(/\.ya?ml(?=\.|$)/, '')
  return `${name.replaceAll(/[^\w.-]/g, '_')}.${ending}`
}
