import type { Fields } from '../page.js'

/** The number of the page that an address asks for, between 1 and `pages`. */
export function toPageNumber(query: Fields, pages: number): number {
  const number = Number(query.get('page') ?? 1)
  return Number.isInteger(number) ? Math.min(Math.max(number, 1), pages) : 1
}
