import { isList, isMap, type Json, type JsonMap } from '../../../src/model/json.js'
import type { Dice } from './dice.js'

/** A menu in some formatting, with what has to be found again after an edit. */
export interface Formatted {
  readonly text: string
  /** Each comment with the pointer of its item; null for one of the menu. */
  readonly comments: ReadonlyMap<string, string | null>
  /** Of each item that is no map in braces its own lines, its comments included, up to its children. */
  readonly lines: ReadonlyMap<string, readonly string[]>
}

/** Writes a menu as people do who agree on nothing. */
export function format(menu: JsonMap, dice: Dice): Formatted {
  return new Formatter(dice).format(menu)
}

class Formatter {
  readonly #dice: Dice
  readonly #comments = new Map<string, string | null>()
  readonly #lines = new Map<string, readonly string[]>()
  readonly #inBraces = new Set<string>()
  /** How many lines of an item stand from its children on. */
  readonly #below = new Map<string, number>()

  constructor(dice: Dice) {
    this.#dice = dice
  }

  format(menu: JsonMap): Formatted {
    const dice = this.#dice
    const head: string[] = []
    if (dice.once(3)) head.push('# yaml-language-server: $schema=x.json')
    if (dice.once(4)) head.push(this.#comment(null))
    if (dice.once(4)) head.push('---')
    if (dice.once(4)) head.push(this.#comment(null), '')
    const body = dice.once(12)
      ? [this.#flow(menu, 2, '', null, 'menu')]
      : this.#map(menu, 0, '', null, 'menu')
    const foot: string[] = []
    if (dice.once(3)) foot.push(this.#comment(null))
    if (dice.once(6)) foot.push('...')
    const eol = dice.once(3) ? '\r\n' : '\n'
    const text = [...head, ...body, ...foot].join('\n') + (dice.once(4) ? '' : '\n')
    const bom = dice.once(6) ? '\ufeff' : ''
    return { text: bom + text.replaceAll('\n', eol), comments: this.#comments, lines: this.#lines }
  }

  #comment(owner: string | null): string {
    const name = `#${this.#dice.pick([' ', '', '#', ' "', " '", ' - ', ' {', ' a: '])}c${this.#comments.size}.`
    this.#comments.set(name, owner)
    return name
  }

  #tail(owner: string | null): string {
    const { dice } = { dice: this.#dice }
    if (dice.once(4)) return `${' '.repeat(1 + dice.roll(5))}${this.#comment(owner)}`
    return dice.once(8) ? '  ' : ''
  }

  /** Comments and blank lines in lines of their own. */
  #between(column: number, owner: string | null, isOwn: boolean): string[] {
    const { dice } = { dice: this.#dice }
    const lines: string[] = []
    if (dice.once(6)) lines.push(...Array.from({ length: 1 + dice.roll(3) }, () => dice.pick(['', '', '  '])))
    if (isOwn && dice.once(5)) lines.push(`${' '.repeat(column)}${this.#comment(owner)}`)
    return lines
  }

  #map(map: JsonMap, column: number, at: string, owner: string | null, role: Role): string[] {
    const lines: string[] = []
    const pad = ' '.repeat(column)
    for (const [place, [key, value]] of Object.entries(map).entries()) {
      if (place > 0) lines.push(...this.#between(column, owner, true))
      const [first = '', ...rest] = this.#entry(key, value, column, at, owner, role)
      if (role === 'item' && key === 'children') this.#below.set(at, rest.length + 1)
      lines.push(pad + first, ...rest)
    }
    return lines
  }

  /** A key with its value; the first line has no indentation. */
  #entry(key: string, value: Json, column: number, at: string, owner: string | null, role: Role): string[] {
    const { dice } = { dice: this.#dice }
    const name = this.#key(key)
    const isItems =
      isList(value) && ((role === 'menu' && key === 'items') || (role === 'item' && key === 'children'))
    const below: Role = isItems ? 'items' : 'other'
    const pointer = `${at}/${key}`
    const isExplicit = dice.once(16)
    const colon = isExplicit
      ? `? ${name}${this.#tail(owner)}\n${' '.repeat(column)}:`
      : `${name}${dice.once(12) ? ' ' : ''}:`
    return this.#valueBehind(colon, value, column, pointer, owner, below).flatMap((line) => line.split('\n'))
  }

  #valueBehind(
    head: string,
    value: Json,
    column: number,
    at: string,
    owner: string | null,
    role: Role,
  ): string[] {
    const { dice } = { dice: this.#dice }
    const isDash = head === '-'
    if (isList(value) || isMap(value)) {
      const isEmpty = Object.keys(value).length === 0
      if (!isEmpty && !dice.once(3)) {
        if (isList(value)) {
          const deeper = isDash ? 1 + dice.roll(4) : dice.roll(6)
          if (isDash && dice.roll(2) === 0) {
            const [first = '', ...rest] = this.#list(value, column + 2, at, owner, role, true)
            return [`- ${first.trimStart()}`, ...rest]
          }
          return [head + this.#tail(owner), ...this.#list(value, column + deeper, at, owner, role, false)]
        }
        const gap = 1 + (dice.once(4) ? dice.roll(3) : 0)
        if (isDash && !dice.once(6)) {
          const [first = '', ...rest] = this.#map(value, column + 1 + gap, at, owner, role)
          return [`-${' '.repeat(gap)}${first.trimStart()}`, ...rest]
        }
        const deeper = 1 + dice.roll(5)
        const above = this.#between(column + deeper, owner, true)
        return [head + this.#tail(owner), ...above, ...this.#map(value, column + deeper, at, owner, role)]
      }
      const text = this.#flow(value, column + 2, at, owner, role)
      const lines = `${head} ${text}`.split('\n')
      return [...lines.slice(0, -1), (lines.at(-1) ?? '') + this.#tail(owner)]
    }
    if (value === null && dice.once(2)) return [head + this.#tail(owner)]
    const block = typeof value === 'string' ? this.#overLines(value, column, owner) : null
    if (block !== null) return [`${head} ${block[0]}`, ...block.slice(1)]
    const space = dice.once(6) ? '   ' : dice.once(10) ? '\t' : ' '
    const text = this.#scalar(value, 'block', column + 2)
    const lines = `${head}${space}${text}`.split('\n')
    return [...lines.slice(0, -1), (lines.at(-1) ?? '') + this.#tail(owner)]
  }

  /** A text as a literal or folded block; null where it shall or can not be one. */
  #overLines(value: string, column: number, owner: string | null): string[] | null {
    const { dice } = { dice: this.#dice }
    if (!dice.once(4) || !/^[^\s\p{Cc}](?:[^\p{Cc}]|\n)*$/u.test(value)) return null
    const text = value.replace(/\n*$/, '')
    if (/[ \t]$/m.test(text) || /\n[ \t]/.test(text) || text.includes('\n\n')) return null
    const ends = value.length - text.length
    const chomp = ends === 0 ? '-' : ends === 1 ? dice.pick(['', '+']) : '+'
    const indent = 1 + dice.roll(5)
    const told = dice.once(4) ? String(indent) : ''
    const pad = ' '.repeat(column + indent)
    const mark = dice.once(3) ? ` ${this.#comment(owner)}` : ''
    const tail = Array.from({ length: Math.max(0, ends - 1) }, () => '')
    if (text.includes('\n') || dice.once(2)) {
      return [`|${told}${chomp}${mark}`, ...text.split('\n').map((line) => pad + line), ...tail]
    }
    const words = text.split(/(?<=\S) (?=\S)/)
    const lines: string[] = []
    for (const word of words) {
      if (lines.length === 0 || dice.once(3)) lines.push(pad + word)
      else lines.push(`${lines.pop()} ${word}`)
    }
    return [`>${told}${chomp}${mark}`, ...lines, ...tail]
  }

  #list(
    list: readonly Json[],
    column: number,
    at: string,
    owner: string | null,
    role: Role,
    isInline: boolean,
  ): string[] {
    const { dice } = { dice: this.#dice }
    const lines: string[] = []
    const pad = ' '.repeat(column)
    if (!isInline && dice.once(10)) lines.push(`${pad}${this.#comment(owner)}`, '')
    for (const [place, value] of list.entries()) {
      const pointer = `${at}/${place}`
      const isItem = role === 'items' && isMap(value)
      const own = isItem ? pointer : owner
      const blank = isInline && place === 0 ? [] : this.#between(column, owner, false)
      // Parted by a blank line, a comment is the list's.
      if (place > 0 && dice.once(12)) lines.push(`${pad}${this.#comment(owner)}`, '')
      lines.push(...blank)
      const lead = !(isInline && place === 0) && dice.once(4) ? [`${pad}${this.#comment(own)}`] : []
      const [first = '', ...rest] = this.#valueBehind(
        '-',
        value,
        column,
        pointer,
        own,
        isItem ? 'item' : 'other',
      )
      const entry = [...lead, pad + first, ...rest]
      if (isItem && !this.#inBraces.has(pointer))
        this.#lines.set(pointer, entry.slice(0, entry.length - (this.#below.get(pointer) ?? 0)))
      if (dice.once(8) && !isOpen(value, entry)) entry.push(`${pad} ${this.#comment(own)}`)
      lines.push(...entry)
    }
    if (dice.once(8) && column > 0 && !isInline) lines.push(`${pad}${this.#comment(owner)}`)
    return lines
  }

  #key(key: string): string {
    const { dice } = { dice: this.#dice }
    if (!/^[\w-]+$/.test(key) || dice.once(8)) return JSON.stringify(key)
    return dice.once(12) ? `'${key}'` : key
  }

  #scalar(value: Json, place: 'block' | 'flow', column: number): string {
    const { dice } = { dice: this.#dice }
    if (typeof value !== 'string') return JSON.stringify(value)
    const isPlain = /^[A-Za-zäü/][\w äü./-]*$/u.test(value) && value.trim() === value && !NOT_TEXT.test(value)
    const isQuotable = !/\p{Cc}/u.test(value)
    const style = dice.roll(4)
    const escaped = JSON.stringify(value)
    const broken = (text: string): string =>
      dice.once(3) ? text.replace(/(?<=[a-z]) (?=[a-z])/, `\n${' '.repeat(column)}`) : text
    if (style < 2 && isPlain) return place === 'block' ? broken(value) : value
    if (style < 3 && isQuotable) return broken(`'${value.replaceAll("'", "''")}'`)
    return broken(escaped)
  }

  #flow(value: Json, column: number, at: string, owner: string | null, role: Role): string {
    const { dice } = { dice: this.#dice }
    if (!isList(value) && !isMap(value)) return this.#scalar(value, 'flow', column + 1)
    if (role === 'item') this.#inBraces.add(at)
    const isListValue = isList(value)
    const [open, close] = isListValue ? '[]' : '{}'
    const pairs = Object.entries(value)
    const padding = dice.once(2) ? ' ' : ''
    if (pairs.length === 0) return `${open}${padding}${close}`
    const isOverLines = dice.once(3)
    const line = `\n${' '.repeat(column + dice.roll(3))}`
    let text = `${open}${isOverLines && dice.once(4) ? ` ${this.#comment(owner)}` : ''}`
    for (const [place, [key, each]] of pairs.entries()) {
      const isItem = role === 'items' && isMap(each)
      const isItems =
        isList(each) && ((role === 'menu' && key === 'items') || (role === 'item' && key === 'children'))
      const pointer = `${at}/${key}`
      const own = isItem ? pointer : owner
      if (isOverLines && dice.once(5)) text += `${line}${this.#comment(own)}`
      text += isOverLines ? line : place === 0 ? padding : ' '
      const inner = this.#flow(each, column + 4, pointer, own, isItem ? 'item' : isItems ? 'items' : 'other')
      text += isListValue ? inner : `${this.#key(key)}: ${inner}`
      if (place < pairs.length - 1 || (isOverLines && dice.once(2))) text += ','
      if (isOverLines && dice.once(5)) text += ` ${this.#comment(own)}`
    }
    return `${text}${isOverLines ? `\n${' '.repeat(column)}` : padding}${close}`
  }
}

type Role = 'menu' | 'items' | 'item' | 'other'

const NOT_TEXT = /^(?:null|true|false)$/i

/** Whether an entry ends in a text that would take a comment in. */
function isOpen(value: Json, lines: readonly string[]): boolean {
  return typeof value === 'string' && lines.some((line) => /[|>]\d?[-+]?(?: #.*)?$/.test(line))
}
