import type { BrowserTexts, FormTroubles } from '../browser/page-data.js'

/** What only scripts say. */
export const BROWSER_EN: { readonly browser: BrowserTexts; readonly troubles: FormTroubles } = {
  browser: {
    change: '1 change, not published',
    changes: '{count} changes, not published',
    below: '1 item below',
    belowMany: '{count} items below',
    nothingToUndo: 'There is nothing to undo.',
    nothingToRedo: 'There is nothing to redo.',
    adopted: 'Someone changed the menu. This is the menu as it is now.',
    waiting: 'Not saved yet: the server does not respond. Your changes are kept, and sent again.',
    failing: 'Not saved yet: {reason} Your changes are kept, and sent again.',
    signedOut: 'You are signed out. Your changes are kept, and sent once you sign in again.',
    signIn: 'Sign in in another tab',
    otherUser: 'Someone else is signed in here. Your changes are kept until you sign in again.',
    refused: 'Your last change could not be saved: {reason} This is the menu as it is now.',
    resumed: 'Changes that were not saved when you left were sent.',
    dropTop: 'At the top level',
    dropUnder: 'Under {name}',
    dropped: 'Not moved.',
    help: 'Keys',
    helpKeys: [
      ['Alt+↑ Alt+↓', 'Move the item up or down'],
      ['Alt+→', 'Nest it under the item above'],
      ['Alt+←', 'Move it out'],
      ['↑ ↓', 'Go to the item above or below'],
      ['Enter', 'Edit it'],
      ['Delete', 'Delete it with everything below it'],
      ['Ctrl+Z', 'Undo'],
      ['Ctrl+Shift+Z', 'Redo'],
      ['Ctrl+S', 'Review and publish'],
      ['?', 'Show the keys'],
    ],
  },
  troubles: {
    tooLarge: 'Not sent: this is more than the server accepts. Make it shorter, then try again.',
    unreachable: 'Not sent: the server does not respond. What you typed is still here; try again.',
    signedOut: 'Not sent: you are signed out. What you typed is still here; sign in, then try again.',
    otherUser: 'Not sent: someone else is signed in here. What you typed is still here.',
    role: 'Not sent: your role is now “view”. What you typed is still here.',
    storage:
      'Not sent: the menus cannot be written at the moment. What you typed is still here; try again later.',
  },
}
