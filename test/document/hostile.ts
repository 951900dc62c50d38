const HEAD = 'version: 1\ncode: main\nname: Main\nitems: []\n'
const MENU = 'version: 1\ncode: main\nname: Main\nitems:\n'

/** Nested deeper than any stack. */
export const DEEP: Readonly<Record<string, string>> = {
  'flow lists 100,000 deep': `${HEAD}x-a: ${'['.repeat(100_000)}${']'.repeat(100_000)}\n`,
  'flow lists 100,000 deep, never closed': `${HEAD}x-a: ${'['.repeat(100_000)}`,
  'flow maps 100,000 deep': `${HEAD}x-a: ${'{a: '.repeat(100_000)}1${'}'.repeat(100_000)}\n`,
  'block lists 100,000 deep': `${HEAD}x-a:\n  ${'- '.repeat(100_000)}a\n`,
  'block maps 1,000 deep': `${HEAD}x-a:\n${nestedMaps(1_000)}`,
  'explicit keys 100,000 deep': `${HEAD}${'? '.repeat(100_000)}a\n`,
  'items 65 levels deep': `${MENU}${nestedItems(65)}`,
  'items 10,000 levels deep': `${MENU}- ${'{label: A, url: /, children: ['.repeat(10_000)}${']}'.repeat(10_000)}\n`,
}

function nestedMaps(depth: number): string {
  return Array.from({ length: depth }, (_, level) => `${' '.repeat(level + 1)}a:\n`).join('')
}

function nestedItems(levels: number): string {
  const rows = Array.from({ length: levels }, (_, level) => {
    const indent = '  '.repeat(level * 2)
    return `${indent}- label: A\n${indent}  url: /\n${indent}  children:\n`
  })
  return rows.join('')
}
