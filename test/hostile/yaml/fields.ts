import type { Menu } from '../../../src/model/menu.js'

type Written = Readonly<Record<string, unknown>>

/** A place of a menu file where a text may stand. */
export interface Field {
  readonly name: string
  /** The JSON Pointer under which a problem with the text is told. */
  readonly pointer: string
  /** What a file has, in place of what it has otherwise, so that the text stands there. */
  readonly write: (text: string) => Written
  /** What the menu of such a file has there; undefined where it keeps nothing. */
  readonly read: (menu: Menu) => unknown
  /** What is read for a text that is taken. Default: the text itself. */
  readonly expected?: (text: string) => unknown
}

/** An item with a text in it. */
export interface ItemField extends Field {
  readonly item: (text: string) => Written
}

const LINK = { label: 'A', url: '/' }

/** Every field of an item whose text a client receives. */
export const ITEMS: readonly ItemField[] = [
  itemField('label', '/label', (text) => ({ ...LINK, label: text }), labelOf),
  itemField(
    'label in a language',
    '/label/es',
    (text) => ({ ...LINK, label: { en: 'A', es: text } }),
    (item) => (labelOf(item) as Written)['es'],
    // A translation of blanks alone counts as absent.
    (text) => (text.trim() === '' ? undefined : text),
  ),
  itemField('url', '/url', (url) => ({ ...LINK, url }), member('url')),
  // An empty icon counts as none.
  itemField(
    'icon',
    '/icon',
    (icon) => ({ ...LINK, icon }),
    member('icon'),
    (text) => (text === '' ? null : text),
  ),
  itemField('route name', '/routeName', (routeName) => ({ label: 'A', routeName }), member('routeName')),
  itemField(
    'route parameter',
    '/routeParams/q',
    (q) => ({ label: 'A', routeName: 'r', routeParams: { q } }),
    (item) => (item['routeParams'] as Written)['q'],
  ),
  itemField(
    'name of a route parameter',
    '/routeParams',
    (text) => ({ label: 'A', routeName: 'r', routeParams: only(text, 'v') }),
    (item) => Object.keys(item['routeParams'] as Written)[0],
  ),
  itemField(
    'permission',
    '/permissions/0',
    (text) => ({ ...LINK, permissions: [text] }),
    (item) => (item['permissions'] as readonly unknown[])[0],
  ),
  itemField('id', '/id', (id) => ({ ...LINK, id }), member('id')),
  ...['title', 'class', 'target', 'rel', 'lang', 'download', 'data-x', 'aria-label'].map(attributeField),
]

/** Every field of a file that takes a text. */
export const FIELDS: readonly Field[] = [
  ...ITEMS,
  itemField('free key of an item', '', (text) => ({ ...LINK, [`x-${text}`]: text }), nothing, nothing),
  itemField(
    'name of an attribute',
    '/attributes',
    (text) => ({ ...LINK, attributes: only(`data-${text}`, 'v') }),
    (item) => Object.keys(item['attributes'] as Written)[0],
    (text) => `data-${text}`,
  ),
  itemField(
    'language of a label',
    '/label',
    (text) => ({ ...LINK, label: only(text, 'A') }),
    nothing,
    nothing,
  ),
  { name: 'name', pointer: '/name', write: (name) => ({ name }), read: ({ name }) => name },
  { name: 'code', pointer: '/code', write: (code) => ({ code }), read: ({ code }) => code },
  {
    name: 'context',
    // What makes a query too long is told of the context as a whole.
    pointer: '/context',
    write: (k) => ({ context: { k } }),
    read: ({ context }) => context['k'],
  },
  {
    name: 'key of a context',
    pointer: '/context',
    write: (text) => ({ context: only(text, 1) }),
    read: ({ context }) => Object.keys(context)[0],
  },
  {
    name: 'free key',
    pointer: '',
    write: (text) => ({ [`x-${text}`]: { a: [text] } }),
    read: nothing,
    expected: nothing,
  },
  displayField(
    'htmlId',
    '/display/htmlId',
    (htmlId) => ({ htmlId }),
    (display) => display['htmlId'],
  ),
  displayField(
    'label of the menu',
    '/display/label',
    (label) => ({ label }),
    (display) => display['label'],
  ),
  displayField(
    'icon of the menu',
    '/display/icon',
    (icon) => ({ icon }),
    (display) => display['icon'],
  ),
  displayField(
    'classes',
    '/display/classes/menu',
    (menu) => ({ classes: { menu } }),
    (display) => (display['classes'] as Written)['menu'],
  ),
  displayField(
    'free key of the display',
    '/display',
    (text) => ({ [`x-${text}`]: text }),
    (display) => display[Object.keys(display)[0] ?? ''],
  ),
]

/** The whole of a file in which a text stands in this field. */
export function fileWith(field: Field, text: string): Written {
  return { version: 1, code: 'main', name: 'Main', items: [], ...field.write(text) }
}

/** An object with one key, whatever the key is. */
export function only(key: string, value: unknown): Written {
  return Object.fromEntries([[key, value]])
}

function itemField(
  name: string,
  pointer: string,
  item: (text: string) => Written,
  read: (item: Written) => unknown,
  expected: (text: string) => unknown = (text) => text,
): ItemField {
  return {
    name,
    pointer: `/items/0${pointer}`,
    item,
    write: (text) => ({ items: [item(text)] }),
    read: ({ items: [first] }) => (first === undefined ? null : read({ ...first })),
    expected,
  }
}

function attributeField(attribute: string): ItemField {
  const write = (text: string) => ({ ...LINK, attributes: only(attribute, text) })
  const read = (item: Written) => (item['attributes'] as Written)[attribute]
  return itemField(`attribute ${attribute}`, `/attributes/${attribute}`, write, read)
}

function displayField(
  name: string,
  pointer: string,
  write: (text: string) => Written,
  read: (display: Written) => unknown,
): Field {
  return { name, pointer, write: (text) => ({ display: write(text) }), read: ({ display }) => read(display) }
}

function member(name: string): (item: Written) => unknown {
  return (item) => item[name]
}

function labelOf(item: Written): unknown {
  return item['label']
}

function nothing(): undefined {
  return undefined
}
