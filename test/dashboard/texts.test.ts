import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { DE } from '../../src/dashboard/pages/texts/de.js'
import { EN } from '../../src/dashboard/pages/texts/en.js'

const LANGUAGES: object[] = [EN, DE]

test('Every text that is given a value shows it', () => {
  for (const texts of LANGUAGES)
    for (const [name, text] of functionsIn(texts)) assert.match(text(7, 7), /^[^$]*7[^$]*$/, name)
})

type Text = (...values: readonly number[]) => string

function functionsIn(texts: object): readonly (readonly [name: string, text: Text])[] {
  return Object.entries(texts).flatMap(([name, text]) => {
    if (typeof text === 'function') return [[name, text as Text] as const]
    return typeof text === 'object' ? functionsIn(text) : []
  })
}

test.run()
