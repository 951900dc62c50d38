/** The address of a page of the dashboard with its parameters. */
export function pathTo(home: string, page: string, query: Readonly<Record<string, string>>): string {
  return `${home}/${page}?${new URLSearchParams(query)}`
}
