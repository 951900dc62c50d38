import { lstatSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GitFault } from './repository.js'

/** The attributes file at the top of a work tree. */
export interface AttributesFile {
  readonly path: string
  /** Each character is a byte, since git defines no encoding; '' when there is no file. */
  readonly text: string
  /** Why it must not be written, and what to do about it; null when it may be. */
  readonly fault: GitFault | null
}

const COMMENT = '# Menus are merged item by item, once a clone knows how: menuscript git setup'

/** Reads the attributes of a work tree. Throws when they cannot be read. */
export function readAttributes(root: string): AttributesFile {
  const path = join(root, '.gitattributes')
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()
  // gitattributes, "NOTES": git does not follow a symbolic link here, and writing would change what it leads to.
  if (isLink === true) {
    const what = `${path} is a symbolic link, which git does not follow`
    return { path, text: '', fault: { what, todo: 'Make it a file, then run this again.' } }
  }
  const text = isLink === undefined ? '' : readFileSync(path, 'latin1')
  const hasConflict = /^<{7} |^>{7} /m.test(text)
  const fault = { what: `${path} has a merge conflict`, todo: 'Resolve it first.' }
  return { path, text, fault: hasConflict ? fault : null }
}

/** Writes attributes as `readAttributes` gave them. */
export function writeAttributes({ path }: AttributesFile, text: string): void {
  writeFileSync(path, text, 'latin1')
}

/**
 * The lines for a menus folder and a prefix of files (gitattributes, "DESCRIPTION"), in UTF-8: a pattern with blanks is in
 * quotes. Extensions of menu files may be in capitals, which a pattern only matches with brackets.
 */
export function toRules(menus: string, prefix: string): readonly string[] {
  const literal = (text: string): string => text.replace(/[\\*?[]/g, '\\$&')
  const folder = menus === '' ? '' : `${literal(menus)}/**/`
  return ['[yY][aA][mM][lL]', '[yY][mM][lL]'].map((ending) => {
    const pattern = `${folder}${literal(prefix)}*.${ending}`
    return `${/[\s"]|^[#!]/.test(pattern) ? JSON.stringify(pattern) : pattern} merge=menuscript`
  })
}

const RULE = /^(?:"(?:[^"\\]|\\.)*"|[^ \t]+)[ \t]+merge=menuscript[ \t]*$/

/** Attributes without some rules; those of other folders stay, with the comment. */
export function withoutRules(text: string, rules: readonly string[]): string {
  const own = rules.map(toBytes)
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? []
  const left = lines.filter((line) => !own.includes(line.trimEnd()))
  return hasRules(left.join('')) ? left.join('') : left.filter((line) => line.trimEnd() !== COMMENT).join('')
}

/** Whether any menus are merged item by item. */
export function hasRules(text: string): boolean {
  return text.split(/\r?\n/).some((line) => RULE.test(line))
}

/** Missing lines go last: the last line about a file counts. Those of other folders stay. */
export function withRules(text: string, rules: readonly string[]): string {
  const lines = text.split(/\r?\n/).map((line) => line.trimEnd())
  const missing = rules.map(toBytes).filter((rule) => !lines.includes(rule))
  if (missing.length === 0) return text
  const eol = /\r\n/.test(text) ? '\r\n' : '\n'
  const ended = text === '' || text.endsWith('\n') ? text : text + eol
  const comment = lines.includes(COMMENT) ? [] : [COMMENT]
  return ended + [...comment, ...missing].map((line) => line + eol).join('')
}

/** A text whose characters are the bytes of another in UTF-8. */
function toBytes(text: string): string {
  return Buffer.from(text).toString('latin1')
}
