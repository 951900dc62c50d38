/** What a problem costs: an error withholds the file, a warning does not. */
export type Severity = 'error' | 'warning'

/** The permanent names of all problems that withhold a file, or the start; each has a row in `docs/problems.md` and a fixture. */
const ERRORS = {
  'config-file': [
    'The service refuses to start with an invalid configuration.',
    'Give --config a file that can be read, or fix this one.',
  ],
  'config-conflict': ['One of the two would be silently ignored.', 'Keep one of the two.'],
  'bad-option': ['The service refuses to start with an invalid configuration.', 'Correct the value.'],
  'remote-unreachable': [
    'Without a clone from an earlier start, there is nothing to serve.',
    'Start again once the host can be reached; check storage.git and its credentials.',
  ],
  'users-file': [
    'No one can sign in with a password, except for the last good users of a repository until a restart.',
    'Correct the line.',
  ],
  'folder-missing': [
    'Nothing new can be read; what was served before stays.',
    'Create the folder, fix its permissions, or point storage.connections at the right one.',
  ],
  'unreadable-file': ['A file that cannot be read cannot be served.', 'Fix its permissions or its disk.'],
  'not-a-file': [
    'Only regular files are read: a pipe or a device could hang the service.',
    'Replace it with a regular file, or give it a name without .yaml.',
  ],
  'outside-folder': [
    'A link that leads out of the menus folder could serve any file of the machine.',
    'Copy the file into the folder, or link to a file inside it.',
  ],
  'watch-failed': [
    'Until the file system reports changes again, the periodic rescan finds them some seconds later.',
    'Raise the file-watch limits of the system.',
  ],
  'file-too-large': [
    'The limit keeps one file from stalling the service.',
    'Split the menu, or raise limits.bytes.',
  ],
  'not-utf8': [
    'Menu files are UTF-8. Any other encoding would serve garbled letters.',
    'Save the file as UTF-8.',
  ],
  'control-character': [
    'Control characters are invisible in a review, and menus do not need them.',
    'Delete the character.',
  ],
  'empty-file': [
    'A file without content is probably an accident.',
    'Write a menu (version, code, name, items), or delete the file.',
  ],
  'merge-conflict': [
    'Git left both sides of a merge in the file.',
    'Keep one side, delete the lines of <<<<<<<, ======= and >>>>>>>, and commit. menuscript git setup lets git merge menus item by item.',
  ],
  'yaml-syntax': ['The text is not YAML, so none of it can be used.', 'Fix the marked place.'],
  'yaml-alias': [
    'An edit through an anchor or alias would silently change another place.',
    'Write the value out at each place; quote it if it is a string.',
  ],
  'yaml-merge-key': [
    'YAML 1.2 has no merge keys, and an edit through one would silently change another place.',
    'Write the keys out.',
  ],
  'yaml-tag': [
    'Menus contain only strings, numbers, booleans, lists and maps.',
    'Delete the tag; quote the value if it is a string.',
  ],
  'yaml-directive': ['Every menu file is YAML 1.2; directives change how it is read.', 'Delete the line.'],
  'yaml-documents': ['One file is one menu.', 'Put each menu into its own file.'],
  'yaml-depth': ['Deep nesting can exhaust the parser.', 'Make the menu flatter, or raise limits.levels.'],
  'yaml-nodes': ['This many values can stall the service.', 'Split the menu, or raise limits.items.'],
  'duplicate-key': ['Only one of the two values can take effect.', 'Delete one of the two, or rename it.'],
  'key-not-text': ['Keys are strings; YAML read this one as another type.', 'Quote the key.'],
  'not-a-menu': [
    'A menu file is a map with version, code, name and items.',
    'Start with "version: 1", then code, name and items.',
  ],
  'unknown-key': [
    'An unknown key would be silently ignored.',
    'Correct the key, delete it, or rename it to x-….',
  ],
  'missing-key': ['The menu cannot be served without it.', 'Add the key.'],
  'wrong-type': ['The format needs a value of another type.', 'Change the value to the named type.'],
  'bad-value': ['The format does not allow this value.', 'Use a value of the named form.'],
  'bad-version': ['This release reads format version 1.', 'Write "version: 1", or use a newer release.'],
  'unsafe-number': [
    'A number beyond ±9007199254740991 loses digits: two different ones would be equal.',
    'Quote it as a string.',
  ],
  'context-limit': ['No request could send this context.', 'Use fewer or shorter keys and values.'],
  'too-many-items': [
    'The limit keeps one menu from stalling the service.',
    'Split the menu, or raise limits.items.',
  ],
  'too-many-levels': ['Visitors cannot use such a deep menu.', 'Make it flatter, or raise limits.levels.'],
  'empty-label': [
    'Visitors would see an item or a navigation without a name.',
    'Write a text, or texts by locale; give dividers "type: divider".',
  ],
  'link-without-destination': [
    'A link needs exactly one of routeName and url.',
    'Add routeName or url, or write "type: section" for a heading.',
  ],
  'link-with-two-destinations': [
    'A link needs exactly one of routeName and url. With both, its destination is ambiguous.',
    'Delete one of the two.',
  ],
  'section-url': [
    'A section is a heading; only its routeName gives it a destination.',
    'Delete url, or make it a link (links may have children, too).',
  ],
  'divider-children': ['A divider is a line between items.', 'Make it a section, or move its children out.'],
  'unsafe-url': [
    'Only http, https, mailto, tel and sms URLs, paths from /, ./ or ../, queries and fragments are allowed. Other forms, spaces, backslashes and control characters could run code or leave the site.',
    'Write one of the allowed forms; write a space as %20.',
  ],
  'url-without-scheme': [
    'Without a scheme, a browser reads it as a path relative to the page.',
    'Write https:// before it, or / for a path of the site.',
  ],
  'duplicate-id': [
    'An id identifies one item and is unique in a page.',
    'Give each item a unique id, or none.',
  ],
  'duplicate-menu': [
    'Only one menu can match a request; the file whose path comes first in byte order is served.',
    'Change the code or the context of one of them, or delete one file.',
  ],
  'window-empty': ['Nobody could ever see it.', 'Correct one of the two times, or hide the item instead.'],
} as const

/** The same of problems that withhold nothing. */
const WARNINGS = {
  'path-clash': [
    'On macOS and Windows the two are one file, so a checkout there loses one of them.',
    'Rename one of the two files.',
  ],
  'ignored-on-divider': ['A divider has no text, icon or destination of its own.', 'Delete the key.'],
  'unknown-route': ['Without a path the item leads to "#".', 'Correct the name, or add it to routes.'],
  'missing-parameter': ['Without it there is no path, and the item leads to "#".', 'Give it in routeParams.'],
  'unknown-parameter': [
    'Parameters that the route does not use become part of the query string.',
    'Correct the name of the parameter.',
  ],
  'unknown-param-value': [
    'The route lists the values that the application knows, and a page of another one may not exist.',
    'Correct the value, or add it to the values of the route.',
  ],
  'unknown-path': [
    'A link to a path without a route may lead nowhere.',
    'Correct the path, or use a route instead.',
  ],
  'no-routes': [
    'Without routes (or a generatePath hook) every routeName leads to "#".',
    'Set routes in the configuration.',
  ],
  'unknown-icon-library': [
    'Icons of a library without a prefix are sent unchanged.',
    'Correct the library, or add it to icon_library_prefix_map.',
  ],
  'unknown-permission': [
    'A permission that no viewer has hides the item from everyone.',
    'Correct the key, or add it to permissions.',
  ],
  'unknown-locale': ['Visitors never get this locale.', 'Correct the tag, or add it to locales.'],
  'locale-form': [
    'It works, but tools that compare strings treat it as another locale.',
    'Write the usual form.',
  ],
  'missing-translation': ['Visitors of that locale see another language here.', 'Add the missing languages.'],
  'unused-context': ['An empty context is not a context: the key has no effect.', 'Delete the key.'],
  'near-duplicate-context': [
    'Contexts match only if they are equal as JSON: a request for one never gets the other.',
    'Keep the file whose context requests send, and delete the other one. If you need both, make them differ more.',
  ],
  'unknown-context': [
    'Requests send the keys that other menus have, so nobody may ever get this menu.',
    'Correct the key. If it is right, hide this warning with a comment.',
  ],
  'never-visible': [
    'A section with only dividers left is removed from the tree.',
    'Show one of its items, or hide the section itself.',
  ],
  'unused-disable': ['It would hide a later problem.', 'Correct the comment, or delete it.'],
  'number-form': [
    'A number is served and compared by its value, not as it is written.',
    'Quote it if it is a string; otherwise write the number that YAML reads.',
  ],
  'comment-in-text': [
    'In YAML, a # after a space begins a comment, and the value ends before it.',
    'Quote the whole text, or write a space after the # of a comment.',
  ],
  'unused-params': [
    'Parameters fill the path of a route; a url is sent unchanged.',
    'Delete the key, name a route, or write the parameters into the url.',
  ],
  'window-past': ['Nobody can see it any more.', 'Delete it, or write a later time.'],
} as const

/** The permanent name of a problem. */
export type ProblemCode = keyof typeof ERRORS | keyof typeof WARNINGS

/** What is true of a problem wherever it is found: what it costs, why it matters, and what fixes it. */
export type ProblemKind = { readonly severity: Severity; readonly why: string; readonly todo: string }

/** Every problem that a file or a folder can have. */
export const PROBLEM_KINDS: Readonly<Record<ProblemCode, ProblemKind>> = {
  ...toKinds('error', ERRORS),
  ...toKinds('warning', WARNINGS),
}

/** Rules that judge only where the configuration asks for them. */
export const OPTIONAL_RULES: readonly ProblemCode[] = ['unknown-path']

/** The codes whose severity a project may change: those that do not withhold a file. */
export const CHANGEABLE_CODES: readonly ProblemCode[] = Object.keys(WARNINGS) as ProblemCode[]

function toKinds<Code extends string>(
  severity: Severity,
  texts: Readonly<Record<Code, readonly [why: string, todo: string]>>,
): Record<Code, ProblemKind> {
  const rows = Object.entries<readonly [string, string]>(texts)
  const kinds = rows.map(([code, [why, todo]]) => [code, { severity, why, todo }])
  return Object.fromEntries(kinds) as Record<Code, ProblemKind>
}
