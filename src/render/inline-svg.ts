/** Characters of a drawing in a page; larger ones are pictures. */
const MAX_LENGTH = 8_192

const SHAPES = ['g', 'path', 'circle', 'ellipse', 'line', 'polygon', 'polyline', 'rect']
const PLACES = [
  'd',
  'points',
  'cx',
  'cy',
  'r',
  'rx',
  'ry',
  'x',
  'y',
  'x1',
  'x2',
  'y1',
  'y2',
  'width',
  'height',
]
const LINES = ['', '-width', '-linecap', '-linejoin', '-miterlimit', '-dasharray', '-dashoffset', '-opacity']
const INK = [
  ...['fill', 'fill-rule', 'fill-opacity', 'clip-rule', 'opacity', 'transform', 'vector-effect'],
  ...LINES.map((name) => `stroke${name}`),
]
/** What a shape looks the same without. */
const NEEDLESS = /^(id|class|data-[\w-]+)$/
/** No address is one, not even of a part of the page. */
const VALUE = /^[\w .,#%()+-]*$/

const START = /<([A-Za-z]+)((?:[ /][^<>]*)?)> ?/y
const END = /<\/([A-Za-z]+)> ?/y
const ATTRIBUTE = / ([\w:-]+)="([^"]*)"/y

/**
 * Makes an SVG safe to inline, whoever drew it: it keeps shapes, their positions and colours, and nothing that refers to anything,
 * moves or runs. Null for a drawing that has more, as it would look different without, and for one that is too large.
 */
export function toInlineSvg(text: string): string | null {
  if (text.length > MAX_LENGTH) return null
  const line = withoutNotes(text).replace(/\s+/g, ' ').trim()
  const open: string[] = []
  let html = ''
  for (let place = 0; place < line.length; ) {
    const [start, name = '', rest = ''] = matchAt(START, line, place) ?? []
    const [end, ended] = start === undefined ? (matchAt(END, line, place) ?? []) : []
    place += (start ?? end ?? '').length
    if (start === undefined) {
      if (end === undefined || ended !== open.pop()) return null
      html += `</${ended}>`
      continue
    }
    const isRoot = html === ''
    const isKnown = isRoot ? name === 'svg' : open.length > 0 && SHAPES.includes(name)
    const attributes = isKnown ? toAttributes(rest.replace(/ ?\/?$/, ''), isRoot) : null
    if (attributes === null) return null
    html += `<${name}${attributes}>`
    if (rest.endsWith('/')) html += `</${name}>`
    else open.push(name)
  }
  return html === '' || open.length > 0 ? null : html
}

/** A text without comments and the declaration; what never ends stays. */
function withoutNotes(text: string): string {
  const [start = '', ...parts] = text.split('<!--')
  const rest = parts.map((part) => {
    const end = part.indexOf('-->')
    return end === -1 ? `<!--${part}` : part.slice(end + 3)
  })
  return [start, ...rest].join('').replace(/^\s*<\?[^<>]*>/, '')
}

/** The attributes of an element as HTML; null where one is not allowed. */
function toAttributes(text: string, isRoot: boolean): string | null {
  const kept = new Map<string, string>()
  for (let place = 0; place < text.length; ) {
    const [all, name = '', value = ''] = matchAt(ATTRIBUTE, text, place) ?? []
    if (all === undefined) return null
    place += all.length
    const isKnown = INK.includes(name) || (isRoot ? name === 'viewBox' : PLACES.includes(name))
    if (!isKnown && !isRoot && !NEEDLESS.test(name)) return null
    if (isKnown && (!VALUE.test(value) || /url/i.test(value))) return null
    if (isKnown) kept.set(name, value)
  }
  if (isRoot && !kept.has('viewBox')) return null
  const written = [...kept].map(([name, value]) => ` ${name}="${value}"`).join('')
  return isRoot ? `${written} width="1em" height="1em" aria-hidden="true" focusable="false"` : written
}

function matchAt(pattern: RegExp, text: string, place: number): RegExpExecArray | null {
  pattern.lastIndex = place
  return pattern.exec(text)
}
