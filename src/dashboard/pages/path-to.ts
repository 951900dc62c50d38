/** The address of a page of a menu file, with its other parameters. */
export type PathTo = (page: string, file: string, more?: Readonly<Record<string, string>>) => string

/** @param home the path of the dashboard */
export function createPathTo(home: string): PathTo {
  return (page, file, more = {}) => `${home}/${page}?${new URLSearchParams({ file, ...more })}`
}
