import { createFill } from '../../change/fill.js'

/** The language of the page, and whether it runs from right to left. */
export const lang: string = document.documentElement.lang
export const isRightToLeft: boolean = document.documentElement.dir === 'rtl'

/** Puts values into a sentence in the language of the page. */
export const fillCounted: ReturnType<typeof createFill> = createFill(lang)
