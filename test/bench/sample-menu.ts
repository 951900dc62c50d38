/** A menu of about 1 KB with the code `menu-AT`, in YAML and in JSON. */
export function sampleMenu(at: number): { readonly yaml: string; readonly json: string } {
  const labels = Array.from({ length: 12 }, (_, item) => `Entry ${item} of menu ${at}`)
  const items = labels.map((label, item) => ({
    label: { en: label },
    url: `/section-${at}/page-${item}`,
    icon: 'bi:house',
  }))
  const head = { version: 1, code: `menu-${at}`, name: `Menu ${at}` }
  const lines = items.flatMap(({ label, url, icon }) => [
    `  - label:`,
    `      en: ${label.en}`,
    `    url: ${url}`,
    `    icon: ${icon}`,
  ])
  const yaml = [`version: 1`, `code: ${head.code}`, `name: ${head.name}`, 'items:', ...lines, ''].join('\n')
  return { yaml, json: JSON.stringify({ ...head, items }) }
}
