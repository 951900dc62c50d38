import type { Page } from '../page.js'

/** The keys of the editor; its script shows the same in a dialog. */
export function keysPage(): Page {
  return {
    role: 'view',
    show: ({ t }) => ({ template: 'keys', model: { title: t.browser.help } }),
  }
}
