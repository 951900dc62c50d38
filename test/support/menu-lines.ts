/** A menu from lines such as `Home /`, each indented by what it lies below; a line without an address is a section. */
export function menuOf(lines: readonly string[], head = 'code: main'): string {
  const rows = lines.map((line) => {
    const [, margin = '', label, url] = /^( *)([^/]*?) ?(\/.*)?$/.exec(line) ?? []
    return { depth: margin.length / 2, label, url }
  })
  const text = rows.map(({ depth, label, url }, place) => {
    const pad = '  '.repeat(depth * 2 + 1)
    const type = url === undefined ? `\n${pad}  type: section` : `\n${pad}  url: ${url}`
    const children = (rows[place + 1]?.depth ?? 0) > depth ? `\n${pad}  children:` : ''
    return `${pad}- label: ${label}${type}${children}\n`
  })
  return `version: 1\n${head}\nname: Main\nitems:${text.length === 0 ? ' []' : ''}\n${text.join('')}`
}
