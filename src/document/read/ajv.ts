import { Ajv, type Options } from 'ajv'

/** What editors read in the schemas beside the standard keywords. */
const EDITOR_KEYWORDS = ['defaultSnippets', 'markdownDescription', 'patternErrorMessage', 'errorMessage']

/**
 * The only maker of validators. `ownProperties` because `{}` has a `constructor` otherwise; all errors because people want
 * to see all at once (the guard has limited the number of values).
 */
export function createAjv(options: Options = {}): Ajv {
  const ajv = new Ajv({
    allErrors: true,
    ownProperties: true,
    strict: true,
    strictRequired: false,
    verbose: true,
    allowUnionTypes: true,
    strictNumbers: false,
    strictTypes: false,
    ...options,
  })
  for (const keyword of EDITOR_KEYWORDS) ajv.addKeyword(keyword)
  return ajv
}
