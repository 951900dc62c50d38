import { isMap, type RawMap } from '../../model/json.js'
import { isLanguage, toLanguage } from '../../model/language.js'
import { type Locale, parentsOf, toLocale } from '../../model/locale.js'
import { type Issue, quote } from '../issue.js'
import { toNearest } from '../nearest.js'
import type { Pointer } from '../value.js'
import { isBlank } from './raw-items.js'
import type { Vocabulary } from './vocabulary.js'

/** What is wrong with a label, and in which locales it has no text. */
export function labelIssues(item: RawMap, pointer: Pointer, { locales }: Vocabulary): Issue[] {
  if (!Object.hasOwn(item, 'label')) return []
  const label = item['label']
  if (label === null || (typeof label === 'string' && isBlank(label))) {
    return [{ code: 'empty-label', pointer, what: 'The label is empty.' }]
  }
  if (!isMap(label)) return []
  const texts = Object.entries(label).filter(([, text]) => text !== null && !isBlank(text))
  if (texts.length === 0)
    return [{ code: 'empty-label', pointer, what: 'The label has no text in any locale.' }]
  const seen = new Map<Locale, string>()
  const issues = Object.keys(label).flatMap((tag) => tagIssues(tag, seen, [...pointer, tag], locales))
  const present = new Set(texts.map(([tag]) => toLocale(tag)))
  const missing = locales.filter((locale) => !parentsOf(locale).some((each) => present.has(each)))
  if (missing.length > 0) {
    issues.push({
      code: 'missing-translation',
      pointer,
      part: 'key',
      what: `No text for ${missing.join(', ')}.`,
    })
  }
  return issues
}

/** What is wrong with the label of the menu itself, which is optional. */
export function navigationLabelIssues(display: unknown, vocabulary: Vocabulary): Issue[] {
  if (!isMap(display)) return []
  const todo = 'Write a text, or texts by locale, or delete the key: the name of the menu is then used.'
  return labelIssues(display, ['display', 'label'], vocabulary).map((issue) =>
    issue.code === 'empty-label' ? { ...issue, todo } : issue,
  )
}

function languageOf(locale: Locale): string {
  return locale.split('-', 1)[0] ?? ''
}

/** Judges one tag of a label; `seen` holds the spelling of its other locales. */
function tagIssues(
  tag: string,
  seen: Map<Locale, string>,
  pointer: Pointer,
  locales: readonly Locale[],
): Issue[] {
  const locale = toLocale(tag)
  if (locale === null)
    return [{ code: 'bad-value', pointer, part: 'key', what: `${quote(tag)} is not a language tag.` }]
  const other = seen.get(locale)
  if (other !== undefined) {
    const what = `${quote(tag)} and ${quote(other)} are one locale.`
    return [{ code: 'duplicate-key', pointer, part: 'key', what }]
  }
  seen.set(locale, tag)
  // The text of `zh` is also for visitors of a configured `zh-Hant`.
  if (!locales.some((each) => parentsOf(each).includes(locale))) {
    const isOne = isLanguage(locale)
    const what = isOne
      ? `${quote(tag)} is not among the locales ${locales.join(', ')}.`
      : `${quote(tag)} is not a language: ISO 639 has no such code.`
    // A valid language was hardly meant to be another: `es` is not a slip for `en`.
    const near = locales.filter((each) => !isOne || languageOf(each) === languageOf(locale))
    const suggest = () => (isOne ? null : toLanguage(locale)) ?? toNearest(locale, near)
    return [{ code: 'unknown-locale', pointer, part: 'key', what, suggest }]
  }
  if (locale === tag) return []
  const what = `${quote(tag)} is usually written ${quote(locale)}.`
  return [{ code: 'locale-form', pointer, part: 'key', what, suggestion: locale }]
}
