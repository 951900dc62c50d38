import { isMap, type RawMap } from '../../model/json.js'
import { isLanguage, toLanguage } from '../../model/language.js'
import { type Locale, parentsOf, toLocale } from '../../model/locale.js'
import { localeName } from '../../model/locale-name.js'
import { toNearest } from '../did-you-mean.js'
import { type Issue, quote } from '../issue.js'
import type { Vocabulary } from './vocabulary.js'

/** What is wrong with the label of a map, and in which locales it has no text. */
export function labelIssues({ label }: RawMap, { locales }: Vocabulary): Issue[] {
  const pointer = ['label']
  const isNone = label === null || isBlank(label)
  if (isNone) return [{ code: 'empty-label', pointer, what: 'The label is empty.' }]
  if (!isMap(label)) return []
  const tags = Object.keys(label)
  const written = tags.filter((tag) => label[tag] !== null && !isBlank(label[tag]))
  if (written.length === 0)
    return [{ code: 'empty-label', pointer, what: 'The label has no text in any locale.' }]
  const seen = new Map<Locale, string>()
  const issues = tags.flatMap((tag): Issue[] => {
    const issue = tagIssue(tag, seen, locales)
    return issue === null ? [] : [{ ...issue, pointer: ['label', tag], part: 'key' }]
  })
  const present = new Set(written.map(toLocale))
  const missing = locales.filter(
    (each) => !present.has(each) && !parentsOf(each).some((parent) => present.has(parent)),
  )
  if (missing.length > 0) {
    const named = missing.map((each) => ({ each, name: localeName('en', each) }))
    const what = `No text in ${NAMES.format(named.map(({ each, name }) => (name ? `${name} (${each})` : each)))}.`
    const todo = `Add ${NAMES.format(named.map(({ each, name }) => name || each))}.`
    issues.push({ code: 'missing-translation', pointer, part: 'key', what, todo })
  }
  return issues
}

/** What is wrong with the label of the menu itself, which is optional. */
export function navigationLabelIssues(display: unknown, vocabulary: Vocabulary): Issue[] {
  if (!isMap(display)) return []
  const todo = 'Write a text, or texts by locale, or delete the key: the name of the menu is then used.'
  const issues = labelIssues(display, vocabulary)
  return issues.map((issue) => (issue.code === 'empty-label' ? { ...issue, todo } : issue))
}

const NAMES = new Intl.ListFormat('en-GB')

function isBlank(text: unknown): boolean {
  return typeof text === 'string' && text.trim() === ''
}

/** Judges one tag of a label; `seen` holds the spelling of its other locales. */
function tagIssue(
  tag: string,
  seen: Map<Locale, string>,
  locales: readonly Locale[],
): Omit<Issue, 'pointer'> | null {
  const locale = toLocale(tag)
  if (locale === null) return { code: 'bad-value', what: `${quote(tag)} is not a language tag.` }
  const other = seen.get(locale)
  if (other !== undefined)
    return { code: 'duplicate-key', what: `${quote(tag)} and ${quote(other)} are one locale.` }
  seen.set(locale, tag)
  // The text of `zh` is also for visitors of a configured `zh-Hant`.
  if (!locales.includes(locale) && !locales.some((each) => parentsOf(each).includes(locale))) {
    const isOne = isLanguage(locale)
    const what = isOne
      ? `${quote(tag)} is not among the locales ${locales.join(', ')}.`
      : `${quote(tag)} is not a language: ISO 639 has no such code.`
    // A valid language was hardly meant to be another: `es` is not a typo for `en`.
    const near = locales.filter((each) => !isOne || languageOf(each) === languageOf(locale))
    const suggest = () => (isOne ? null : toLanguage(locale)) ?? toNearest(locale, near)
    return { code: 'unknown-locale', what, suggest }
  }
  if (locale === tag) return null
  const what = `${quote(tag)} is usually written ${quote(locale)}.`
  return { code: 'locale-form', what, suggestion: locale }
}

function languageOf(locale: Locale): string {
  return locale.split('-', 1)[0] ?? ''
}
