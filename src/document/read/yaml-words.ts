import type { YAMLError } from 'yaml'

/** An error of the YAML parser in plain words; without a `todo`, the generic one applies. */
export interface YamlWords {
  readonly what: string
  readonly todo?: string
}

const COMMA: YamlWords = {
  what: 'A comma is missing between two entries in brackets.',
  todo: 'Separate entries with commas, and quote a text that contains ": ".',
}

const UNALIGNED: YamlWords = {
  what: 'This line is not aligned with the lines above it.',
  todo: 'Align the key or the dash with its neighbours.',
}

/** How the parser's message on tabs begins; other messages can be about a tab, too. */
export const TABS = 'Tabs are not allowed'

/** How the messages of the parser for the commonest slips begin, and plain words for them. */
const PLAIN_WORDS: readonly (readonly [start: string, words: YamlWords])[] = [
  [TABS, { what: 'A tab indents this line.', todo: 'Indent with spaces.' }],
  ['All mapping items', { what: 'This key is not aligned with the keys above it.' }],
  ['All sequence items', { what: 'This dash is not aligned with the dashes above it.' }],
  ['A block sequence may not', UNALIGNED],
  ['Sequence item without', UNALIGNED],
  [
    'Nested mappings',
    { what: 'There is a second colon in this line, or the next line is indented too far.' },
  ],
  ['Implicit keys', { what: 'This key has no colon on its line.' }],
  ['Implicit map keys', { what: 'This key has no colon.', todo: 'Put a colon and a value after the key.' }],
  ['Invalid escape', { what: 'This backslash has no meaning in double quotes.' }],
  ['Plain value cannot', { what: 'A text without quotes cannot begin with this character.' }],
  ['Unexpected scalar at node end', { what: 'Text follows the closing quote.' }],
  ['Unexpected scalar token', COMMA],
  ['Block collections are not', COMMA],
  ['Missing , ', COMMA],
  ['Unexpected , in', { what: 'There is a comma too many.', todo: 'Delete the comma.' }],
  ['Unexpected flow-seq-end', { what: 'This ] closes nothing.', todo: 'Delete it, or add the opening [.' }],
  ['Unexpected flow-map-end', { what: 'This } closes nothing.', todo: 'Delete it, or add the opening {.' }],
  [
    'Unexpected block-seq-ind',
    { what: 'A list cannot begin on the line of its key.', todo: 'Put the dash on the next line.' },
  ],
  [
    'Block scalar header',
    { what: 'Text follows | or > on the same line.', todo: 'Begin the text on the next line.' },
  ],
  [
    'Comments must be',
    {
      what: 'There is no space before the #.',
      todo: 'Put a space before a comment; quote a text with # in it.',
    },
  ],
]

/** How to fix other slips, by the parser's name for them. */
const REMEDIES: Readonly<Record<string, string>> = {
  BAD_INDENT: 'Align the key or the dash with its neighbours.',
  MULTILINE_IMPLICIT_KEY:
    'Check the line before: a colon, a quote or a bracket is missing, or the indent is off.',
  BLOCK_AS_IMPLICIT_KEY:
    'Check for a second colon in the line (quote a text that contains ": "), or for an indent that is off in the next.',
  MISSING_CHAR: 'Add the missing character.',
  BAD_DQ_ESCAPE: 'Write \\\\ for a backslash, or use single quotes.',
  UNEXPECTED_TOKEN: 'Quote the value if it is a string, or fix the marked place.',
  BAD_SCALAR_START: 'Quote the text: it begins with a character that has a meaning in YAML.',
}

/** What an error says, and what to do about it. A message that is not listed stays as the parser has it. */
export function toYamlWords({ code, message }: Pick<YAMLError, 'code' | 'message'>): YamlWords {
  const [, plain] = PLAIN_WORDS.find(([start]) => message.startsWith(start)) ?? []
  const todo = plain?.todo ?? REMEDIES[code]
  return { what: plain?.what ?? message.replace(/\.?$/, '.'), ...(todo !== undefined && { todo }) }
}
