import sax, { type QualifiedTag, type SAXOptions, type SAXParser } from 'sax'
import { type Locale, type Locales, toLocale } from '../../model/locale.js'
import { notOneOf } from '../did-you-mean.js'
import { quote } from '../issue.js'
import {
  MAX_ROWS,
  TOO_MANY_ROWS,
  type TranslationRow,
  type TranslationRows,
  type TranslationWriter,
  toText,
} from './translation-rows.js'
import { textIn } from './translations.js'

/** What differs between the two versions of XLIFF: the names of elements and attributes, by what they are here. */
interface Dialect {
  readonly version: string
  readonly namespace: string
  /** The element with the languages. */
  readonly languages: 'file' | 'xliff'
  readonly from: string
  readonly to: string
  readonly unit: string
  /** The attribute of a unit with the key: an id must be a word in 2.0. */
  readonly key: string
  /** Where the two texts of a unit are, of which 2.0 may have several. */
  readonly parts: readonly string[]
}

const XLIFF_12: Dialect = {
  version: '1.2',
  namespace: 'urn:oasis:names:tc:xliff:document:1.2',
  ...{ languages: 'file', from: 'source-language', to: 'target-language' },
  ...{ unit: 'trans-unit', key: 'resname', parts: ['trans-unit'] },
}
const XLIFF_2: Dialect = {
  version: '2.0',
  namespace: 'urn:oasis:names:tc:xliff:document:2.0',
  ...{ languages: 'xliff', from: 'srcLang', to: 'trgLang' },
  ...{ unit: 'unit', key: 'name', parts: ['segment', 'ignorable'] },
}
const DIALECTS = [XLIFF_12, XLIFF_2]

/** Writes XLIFF for one target language. */
export function xliffWriter(version: '1.2' | '2.0', target: Locale, locales: Locales): TranslationWriter {
  const dialect = version === '1.2' ? XLIFF_12 : XLIFF_2
  const { namespace, from, to, unit, key, languages } = dialect
  const spoken = ` ${from}="${toXml(locales.defaultLocale)}" ${to}="${toXml(target)}"`
  const isOld = dialect === XLIFF_12
  const [open, close] = isOld ? ['<body>', '</body>'] : ['', '']
  const [openPart, closePart] = isOld ? ['', ''] : ['<segment>', '</segment>']
  let files = 0
  return {
    head: `<?xml version="1.0" encoding="UTF-8"?>\n<xliff version="${version}" xmlns="${namespace}"${languages === 'xliff' ? spoken : ''}>\n`,
    menu: (file, texts) => {
      const name = isOld ? `${spoken} datatype="plaintext"` : ` id="f${++files}"`
      const units = texts.map((each, place) => {
        const text = textIn(each.label, target, locales)
        const translated = text === null ? '' : `<target>${toXml(text)}</target>`
        return `<${unit} id="u${place + 1}" ${key}="${toXml(each.key)}" xml:space="preserve">${openPart}<source>${toXml(each.source)}</source>${translated}${closePart}</${unit}>\n`
      })
      // No file of XLIFF 2.0 is empty.
      if (units.length === 0) return ''
      return `<file original="${toXml(file)}"${name}>${open}\n${units.join('')}${close}</file>\n`
    },
    tail: '</xliff>\n',
  }
}

/** Text for elements and for attributes, where line breaks would become spaces. Menus that are served have no other characters that XML lacks. */
function toXml(text: string): string {
  const escaped = text.replace(
    /[&<>"\t\n\r]/g,
    (character) => ENTITIES[character] ?? `&#${character.charCodeAt(0)};`,
  )
  return escaped.replace(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, '\ufffd')
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Characters that are parsed at a time. */
const CHUNK = 16_384
/** Levels of elements. */
const MAX_DEPTH = 64
/** Inline elements that only mark part of a text. Others are placeholders, which menus do not have. */
const MARKS = ['mrk', 'g', 'pc']

/** Without the entities of HTML. */
const OPTIONS: SAXOptions & { readonly strictEntities: boolean } = { xmlns: true, strictEntities: true }

/** The end of a file that cannot be read further. */
class Unreadable extends Error {}

/**
 * Reads the rows of XLIFF, 1.2 or 2.0, in slices. A document type is refused, so there are no entities but those of XML itself,
 * and nothing is loaded from anywhere. Never throws.
 */
export function* readXliff(text: string, locales: Locales): Generator<void, TranslationRows> {
  const reading = createReading(locales)
  try {
    for (let at = 0; at < text.length; at += CHUNK) {
      reading.parser.write(text.slice(at, at + CHUNK))
      yield
    }
    reading.parser.close()
  } catch (thrown) {
    if (!(thrown instanceof Unreadable)) throw thrown
    return { rows: [], faults: [{ line: reading.parser.line + 1, what: thrown.message }] }
  }
  return { rows: reading.rows, faults: [] }
}

/** A unit that is being read: its texts so far. */
interface Unit {
  readonly line: number
  readonly key: string
  source: string
  target: string
  /** Whether a part has no translation yet: half a text is none. */
  isPartial: boolean
}

interface Reading {
  readonly parser: SAXParser
  readonly rows: TranslationRow[]
}

function createReading({ locales, defaultLocale }: Locales): Reading {
  const parser = sax.parser(true, OPTIONS)
  const reading: Reading = { parser, rows: [] }
  const stop = (what: string): never => {
    throw new Unreadable(what)
  }
  let dialect: Dialect | null = null
  let target = ''
  let file = ''
  let unit: Unit | null = null
  /** The texts of a part: null where it has none of them. */
  let part: { source: string | null; target: string | null } = { source: null, target: null }
  /** The text that characters belong to. */
  let within: 'source' | 'target' | null = null
  /** The names of the open elements; those of other namespaces have none. */
  const path: string[] = []

  const toDialect = (version: string): Dialect =>
    DIALECTS.find((each) => each.version === version) ??
    stop(`The version of XLIFF is ${quote(version)}; 1.2 and 2.0 can be read.`)
  const readLanguages = (tag: QualifiedTag, { from, to }: Dialect): void => {
    const [source, wanted] = [attributeOf(tag, from), attributeOf(tag, to)]
    if (toLocale(source) !== defaultLocale)
      stop(`${from} is ${quote(source)}, and the default locale is ${defaultLocale}.`)
    const locale = toLocale(wanted)
    if (locale === null || !locales.includes(locale))
      stop(`${to} is ${quote(wanted)}, which ${notOneOf(wanted, locales)}`)
    else target = locale
  }
  const enter = (tag: QualifiedTag, known: Dialect): void => {
    const [above, name] = [path.at(-2), path.at(-1) ?? '']
    if (within !== null) {
      if (!MARKS.includes(name))
        stop(`The text has an element ${quote(tag.name)}, and labels are plain text.`)
    } else if (name === known.languages) readLanguages(tag, known)
    if (name === 'file') file = attributeOf(tag, 'original')
    if (name === known.unit) {
      if (reading.rows.length >= MAX_ROWS) stop(TOO_MANY_ROWS.what)
      const key = attributeOf(tag, known.key)
      unit = { line: parser.line + 1, key, source: '', target: '', isPartial: false }
    }
    if (unit !== null && known.parts.includes(name)) part = { source: null, target: null }
    // Suggestions of translation memories have texts as well, elsewhere.
    if (unit !== null && known.parts.includes(above ?? '') && (name === 'source' || name === 'target')) {
      if (part[name] !== null) stop(`A unit has two elements ${quote(name)} in one part.`)
      within = name
      part[name] = ''
    }
  }
  const leave = (name: string, { unit: unitName, parts }: Dialect): void => {
    if (name === within) within = null
    if (unit === null || within !== null) return
    if (parts.includes(name)) {
      const source = part.source ?? ''
      const isSame = name === 'ignorable' || source.trim() === ''
      unit.source += source
      unit.target += part.target ?? (isSame ? source : '')
      unit.isPartial ||= part.target === null && !isSame
    }
    if (name !== unitName) return
    const { line, key, source, isPartial } = unit
    const text = toText(unit.target)
    const texts = new Map(isPartial || text.trim() === '' ? [] : [[target, text]])
    const field = key === 'menu' ? 'display.label' : 'label'
    reading.rows.push({ line, file, key, field, source: toText(source), texts })
    unit = null
  }
  parser.onerror = ({ message }) => stop(`The text is not XML: ${message.split('\n', 1)[0]}.`)
  parser.ondoctype = () => stop('The file has a document type (<!DOCTYPE>), which is not read.')
  parser.onprocessinginstruction = ({ name, body }) => {
    const [, encoding = 'UTF-8'] = /\bencoding\s*=\s*["']([^"']*)/.exec(name === 'xml' ? body : '') ?? []
    if (encoding.toUpperCase() !== 'UTF-8') stop(`The encoding is ${quote(encoding)}, and must be UTF-8.`)
  }
  parser.onopentag = (each) => {
    const tag = each as QualifiedTag
    if (path.length === 0) dialect = toDialect(attributeOf(tag, 'version'))
    if (path.push(tag.uri === dialect?.namespace ? tag.local : '') > MAX_DEPTH)
      stop(`Elements are nested more than ${MAX_DEPTH} deep.`)
    if (path.length === 1 && path[0] !== 'xliff') stop('The file is not XLIFF.')
    if (dialect !== null) enter(tag, dialect)
  }
  parser.onclosetag = () => {
    const name = path.pop() ?? ''
    if (dialect !== null) leave(name, dialect)
  }
  parser.ontext = (text) => {
    if (within !== null) part[within] += text
  }
  parser.oncdata = parser.ontext
  return reading
}

function attributeOf({ attributes }: QualifiedTag, name: string): string {
  return Object.hasOwn(attributes, name) ? (attributes[name]?.value ?? '') : ''
}
