/** An element as our HTML may have it. */
export interface Element {
  readonly name: string
  /** Decoded; an attribute without a value is true. */
  readonly attributes: Readonly<Record<string, string | true>>
  /** Its own text, decoded, without that of the elements in it. */
  readonly text: string
  /** The names of the elements around it, from the outside. */
  readonly within: readonly string[]
}

type Open = { -readonly [Key in keyof Element]: Element[Key] }

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}
const TEXT = /(?:[^<>&"']|&(?:amp|lt|gt|quot|#39);)+/y
const START = /<([a-z]+)((?: [a-z][a-z0-9._-]*(?:="(?:[^<>&"']|&(?:amp|lt|gt|quot|#39);)*")?)*)>/y
const END = /<\/([a-z]+)>/y

/**
 * The elements of a piece of HTML in the order in which they begin. Far stricter than a browser: it throws for anything
 * but elements that are closed in order, quoted attributes of which none comes twice, and escaped text.
 */
export function outlineOf(html: string): readonly Element[] {
  const elements: Open[] = []
  const open: Open[] = []
  let place = 0
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = place
    const found = pattern.exec(html)
    place += found?.[0].length ?? 0
    return found
  }
  while (place < html.length) {
    const start = take(START)
    const end = start === null ? take(END) : null
    const text = start === null && end === null ? take(TEXT) : null
    const around = open.at(-1)
    if (start !== null) {
      const within = open.map(({ name }) => name)
      const element = { name: start[1] ?? '', attributes: attributesOf(start[2] ?? ''), text: '', within }
      elements.push(element)
      // The one element of ours that has no end.
      if (element.name !== 'hr') open.push(element)
    } else if (end !== null && around?.name === end[1]) open.pop()
    else if (text !== null && around !== undefined) around.text += decode(text[0])
    else throw new Error(`This is no HTML of ours: ${html.slice(place, place + 80)}\nin ${html}`)
  }
  if (open.length > 0) throw new Error(`<${open[0]?.name}> is never closed in ${html}`)
  return elements
}

function attributesOf(text: string): Record<string, string | true> {
  const found = [...text.matchAll(/ ([^ =]+)(?:="([^"]*)")?/g)].map(
    ([, name = '', value]) => [name, value === undefined ? (true as const) : decode(value)] as const,
  )
  const attributes = Object.fromEntries(found)
  if (Object.keys(attributes).length < found.length) throw new Error(`An attribute comes twice:${text}`)
  return attributes
}

function decode(text: string): string {
  return text.replace(/&[^;]+;/g, (entity) => ENTITIES[entity] ?? entity)
}
