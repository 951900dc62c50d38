// The build replaces this module by what it makes of templates/, of style.css and of ../browser/ (.build/pages.ts).

/** The templates by file name, as functions for the runtime of nunjucks. */
export const TEMPLATES: Readonly<Record<string, object>> = {}

/** The style sheet of all pages. */
export const STYLE: string = ''

/** What browsers run on all pages, as one module. */
export const SCRIPT: string = ''

/** The typeface of all pages, as WOFF2 in base64: they look alike on every system, and load nothing from elsewhere. */
export const FONT: string = ''
