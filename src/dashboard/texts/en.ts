import type { BROWSER_EN } from './browser-en.js'
import type { EDITING_EN } from './editing-en.js'
import type { FILES_EN } from './files-en.js'

/** All that the pages say, in English. Every other language has the same keys (`Texts`). */
export const EN = {
  lang: 'en',
  dir: 'ltr',
  product: 'Menuscript',
  skip: 'Skip to the content',
  nav: { label: 'Dashboard', menus: 'Menus', problems: 'Problems', newMenu: 'New menu' },
  user: { signedInAs: 'Signed in as', signOut: 'Sign out', canView: 'can view', canEdit: 'can edit' },
  required: 'required',
  optional: 'optional',
  errorSummary: 'There is a problem',

  signIn: {
    title: 'Sign in',
    linkLead: 'This link signs you in on this browser. It works once.',
    linkButton: 'Sign in',
    name: 'Name',
    password: 'Password',
    button: 'Sign in',
    signedOut: 'You are signed out.',
    noLogin: 'Nobody has a password here yet. A link signs you in:',
    newLink: 'On the machine that runs the service, run this command and open the link that it prints:',
    elsewhere:
      'You sign in through another page here: that of your organisation or your site. Sign in there first.',
    again: 'I have signed in',
    orLink: 'The person who runs the service can also sign in with a link:',
    usedLink: 'This link has already been used, or is older than 15 minutes.',
    wrong: 'The name or the password is wrong.',
    fillIn: 'Enter your name and your password.',
    wait: (seconds: number): string =>
      `Too many attempts. Try again in ${seconds === 1 ? 'a second' : `${seconds} seconds`}.`,
    busy: 'Many people are signing in right now. Try again in a few seconds.',
    forgotten: 'Forgotten your password? The person who runs the service sets a new one with',
  },
  kept: {
    signedOut:
      'Your session is over. What you typed was not sent; this page keeps it. Sign in in another tab, then send it.',
    of: (user: string): string =>
      `Not sent: ${user} filled in this form, and someone else is signed in here. It stays on this page until ${user} signs in in another tab, and then sends it.`,
    tooLong:
      'Your session is over. What you typed was not sent. It is too long for this page to keep, but your browser still has it: sign in in another tab, then reload this page and confirm.',
    send: 'Send it now',
    typed: 'Show what you typed',
    here: 'What you typed is still here. You can send it again.',
    reload: 'Your browser still has what you typed. Reload this page to send it again.',
  },
  returning: { title: 'One moment', lead: 'Opening the dashboard …', go: 'Continue' },

  menus: {
    title: 'Menus',
    count: (menus: number, codes: number): string =>
      `${menus === 1 ? '1 menu' : `${menus} menus`}${menus === codes ? '' : ` under ${codes === 1 ? '1 code' : `${codes} codes`}`}`,
    search: 'Search menus',
    searchHint: 'Code, name, label, address, language or problem',
    find: 'Search',
    clear: 'Show all menus',
    found: (count: number, query: string): string =>
      `${count === 0 ? 'No menu' : count === 1 ? '1 menu' : `${count} menus`} for “${query}”`,
    nothing: 'Nothing matches. Try fewer words, or a part of one.',
    noContext: 'For everyone',
    items: (count: number): string => (count === 0 ? 'No items' : count === 1 ? '1 item' : `${count} items`),
    translated: 'Translated',
    allProblems: 'All problems',
    variants: (count: number): string => `${count} variants`,
    file: 'File',
    states: {
      fine: 'Live',
      warning: (count: number): string => (count === 1 ? '1 warning' : `${count} warnings`),
      lastGood: 'Older version is live',
      withheld: 'Not live',
      uncommitted: 'Not committed',
    },
    draft: (user: string, changes: number): string =>
      `${user} is editing: ${changes === 1 ? '1 change' : `${changes} changes`}`,
    ownDraft: (changes: number): string => `Your draft: ${changes === 1 ? '1 change' : `${changes} changes`}`,
    created: (file: string): string => `The new menu is in ${file}.`,
    deleted: 'Deleted and not committed:',
    brokenTitle: (count: number): string =>
      count === 1 ? 'One file has an error' : `${count} files have errors`,
    brokenLead: 'Visitors do not get a file with errors. If it has a last good version, that one stays live.',
    place: (line: number, column: number): string => `Line ${line}, column ${column}`,
    more: (count: number): string => (count === 1 ? 'and 1 more' : `and ${count} more`),
    emptyTitle: 'Create your first menu',
    emptyLead: 'A menu is a named list of links. Your site requests it by its code.',
    steps: {
      name: { title: 'Name it', text: 'Choose a code such as “main”, and a name that people understand.' },
      fill: { title: 'Fill it', text: 'Add links, sections and dividers, in as many languages as you need.' },
      show: { title: 'Show it', text: 'Templates and the API serve it as soon as its file exists.' },
    },
    emptyButton: 'Create the first menu',
    emptyView: 'There is no menu yet. Someone with the role “edit” can create one.',
    orFile: 'Or write a file by hand:',
    pages: 'Pages',
    previous: 'Previous',
    next: 'Next',
    pageOf: (page: number, pages: number): string => `Page ${page} of ${pages}`,
  },

  newMenu: {
    title: 'New menu',
    lead: 'A code and a name are enough. Items come next.',
    code: 'Code',
    codeHint:
      'The name by which your site requests it, such as main or footer. Letters, digits, dots, hyphens and underscores.',
    name: 'Name',
    nameHint: 'What people here call it. Without one, the code is used.',
    context: 'Only in a context',
    contextLead:
      'A variant for some visitors only, such as one partner or one season. Leave it empty for the menu that everyone gets.',
    key: (place: number): string => `Name ${place}`,
    value: (place: number): string => `Value ${place}`,
    valueHint: 'Numbers, true and false keep their type: 3 is a number, "3" in quotes is a text.',
    copy: 'Begin with the items of the menu without a context',
    button: 'Create menu',
    copyTitle: (file: string): string => `Copy ${file}`,
    copyLead: 'The copy is complete, comments included. Give it another code or another context.',
    copyButton: 'Create the copy',
    cancel: 'Cancel',
    needsCode: 'Enter a code.',
    badCode:
      'The code may have up to 64 letters, digits, dots, hyphens and underscores, and must not begin with a dot.',
    taken: (file: string): string => `A menu with this code and context already exists, in ${file}.`,
    needsKey: 'Enter the name that belongs to this value.',
    repeatedKey: 'This name appears twice.',
    sourceChanged:
      'This menu has changed since you opened the form. Nothing was written. Send it again to copy the menu as it is now.',
    uncopyable:
      'The items of the menu without a context cannot be copied. Untick the box to begin without items.',
  },

  keysLead:
    'They work in the list of items, in browsers with JavaScript. The menu of each row does the same without keys.',
  problems: {
    title: 'Problems',
    count: (errors: number, warnings: number): string =>
      [
        ...(errors > 0 ? [errors === 1 ? '1 error' : `${errors} errors`] : []),
        ...(warnings > 0 ? [warnings === 1 ? '1 warning' : `${warnings} warnings`] : []),
      ].join(', '),
    allWell: 'All is well',
    allWellLead: 'Every menu file can be read, and nothing in them looks wrong.',
    error: 'Error',
    warning: 'Warning',
    folder: 'The menus folder',
    more: (count: number): string =>
      count === 1 ? '1 more problem is not listed.' : `${count} more problems are not listed.`,
    lead: 'Visitors do not get a file with an error. A warning changes nothing for them.',
  },

  readOnly: {
    role: 'You can view everything here. To change menus, you need the role “edit”.',
    storage:
      'Menus cannot be changed here, because this service cannot write their files. Change them at their source, such as in their repository.',
  },

  errors: {
    back: 'Back to menus',
    again: 'Try again',
    signIn: 'Sign in',
    reference: 'Reference',
    titles: {
      400: 'That request was not understood',
      401: 'You are not signed in',
      403: 'You cannot do that',
      404: 'There is nothing here',
      405: 'This page does not support that',
      408: 'That took too long',
      412: 'The menu has changed',
      413: 'That is too large',
      415: 'That request was not understood',
      423: 'The files are busy',
      429: 'Too many attempts',
      500: 'Something went wrong',
      503: 'This does not work right now',
      507: 'There is no room for that',
    },
    details: {
      'not-found': 'Check the address, or go back to the menus.',
      'no-file': 'There is no such menu file. It may have been deleted or renamed.',
      unauthorized: 'Your session has ended, or you have not signed in yet.',
      'role-view': 'Your role is “view”. This needs the role “edit”.',
      'reserved-user': 'This name is reserved. Ask the person who runs the service for another one.',
      'cross-site': 'This request did not come from a page of the dashboard, so nothing was changed.',
      'bad-csrf-token': 'The page was too old, so nothing was changed. Try again.',
      'bad-host':
        'The dashboard is not available under this name. Open it at the address that the service prints.',
      'not-secure': 'Signing in needs https, or a browser on the machine itself.',
      'users-unusable':
        'The list of users cannot be read. The person who runs the service can find the reason in its log.',
      'internal-error':
        'It is not your fault. The person who runs the service can find the reason in its log.',
      'read-only': 'The menus folder cannot be written. Nothing was changed.',
      busy: 'Git or another process is writing the menus. Try again in a moment.',
      'no-space': 'The disk is full. Nothing was changed.',
      'too-many-drafts':
        'There are too many drafts, or their changes are too large. Nothing was changed. Publish or discard some of your drafts.',
      'not-written': 'The disk failed. Nothing was changed.',
      'body-too-large': 'The form is too large. Nothing was changed.',
      'too-many-fields': 'The form has too many fields. Nothing was changed.',
      'body-too-slow': 'The form took too long to arrive. Nothing was changed. Try again.',
    },
  },
}

/** The texts of a language. */
export type Texts = typeof EN & typeof EDITING_EN & typeof FILES_EN & typeof BROWSER_EN
