import { DRAFT_ROUTES } from './routes/drafts.js'
import { MENU_ROUTES } from './routes/menus.js'
import { OTHER_ROUTES } from './routes/others.js'
import { PROPOSAL_ROUTES } from './routes/proposals.js'
import type { Route } from './routes/route.js'
import { TRANSLATION_ROUTES } from './routes/translations.js'

/** The management API by method and path, where `{id}` matches one step. */
export const ROUTES: Readonly<Record<string, Route>> = {
  ...OTHER_ROUTES,
  ...MENU_ROUTES,
  ...TRANSLATION_ROUTES,
  ...DRAFT_ROUTES,
  ...PROPOSAL_ROUTES,
}
