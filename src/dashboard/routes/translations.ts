import { MAX_BYTES, type TranslationFormat } from '../../document/exchange/translation-rows.js'
import { exportTranslations, importTranslations } from '../deeds/translations.js'
import { needVersion, toTag } from './call.js'
import { WRITING } from './problems.js'
import { bare, type Route, raw } from './route.js'

const TYPES = ['text/csv', 'application/xliff+xml', 'application/xml', 'text/xml']

/** The texts of menus for translators, and back. */
export const TRANSLATION_ROUTES: Readonly<Record<string, Route>> = {
  'GET /translations': bare('view', {
    says: 'The texts of menus as CSV or XLIFF',
    query: ['format', 'locale', 'file?'],
    gives: { 200: null },
    problems: ['bad-path', 'no-file'],
    run: ({ workspace }, { request, operator, query }) => {
      const format = (query.get('format') ?? 'csv') as TranslationFormat
      const wish = { format, locale: query.get('locale'), file: query.get('file') }
      const write = exportTranslations(workspace, operator, wish)
      return { stream: (response) => write(request, response) }
    },
  }),
  'POST /translations': raw(
    'edit',
    { types: TYPES, schema: null },
    {
      says: 'Import the texts of a CSV or XLIFF file, all or none',
      query: ['outdated', 'dry_run'],
      headers: ['If-Match'],
      maxBytes: () => MAX_BYTES,
      gives: { 200: 'Translated' },
      problems: [
        ...WRITING,
        ...(['import-refused', 'version-required', 'bad-version', 'plan-changed'] as const),
        ...(['invalid-menu', 'uneditable'] as const),
      ],
      run: async ({ workspace }, call) => {
        const { request, operator, query, body: text, isDry } = call
        const shown = request.headers['if-match'] === undefined ? undefined : needVersion(call)
        const wish = { text, withOutdated: query.get('outdated') === 'true', shown, isDry }
        const value = await importTranslations(workspace, operator, wish)
        return { value, headers: { etag: toTag(value.version) } }
      },
    },
  ),
}
