/** The addresses of the pages on which a menu file is edited. */
export interface EditorAddresses {
  readonly edit: (file: string, more?: Readonly<Record<string, string>>) => string
  readonly item: (file: string, more?: Readonly<Record<string, string>>) => string
  readonly place: (file: string, more?: Readonly<Record<string, string>>) => string
  readonly transfer: (file: string, more?: Readonly<Record<string, string>>) => string
  readonly settings: (file: string, more?: Readonly<Record<string, string>>) => string
  readonly review: (file: string, more?: Readonly<Record<string, string>>) => string
}

/** @param home the path of the dashboard */
export function toAddresses(home: string): EditorAddresses {
  const page =
    (name: string): EditorAddresses['edit'] =>
    (file, more = {}) =>
      `${home}/${name}?${new URLSearchParams({ file, ...more })}`
  return {
    edit: page('edit'),
    item: page('item'),
    place: page('place'),
    transfer: page('transfer'),
    settings: page('settings'),
    review: page('review'),
  }
}
