import type { Fields } from '../page.js'

/** The page of a list that an address names, of so many. */
export function toPageNumber(query: Fields, pages: number): number {
  const number = Number(query.get('page') ?? 1)
  return Number.isInteger(number) ? Math.min(Math.max(number, 1), pages) : 1
}
