import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { toClosed } from '../../src/model/direction.js'

test('A text ends each direction that it begins, and what it ends by itself is left alone', () => {
  for (const [text, added] of [
    ['Blog', ''],
    ['\u200fBlog\u200e', ''],
    ['\u202eBlog', '\u202c'],
    ['\u202eBlog\u202c', ''],
    ['\u2067\u202aBlog', '\u202c\u2069'],
    // An isolate ends what was begun in it, and nothing in it ends what was begun before.
    ['\u2067\u202aBlog\u2069', ''],
    ['\u202e\u2068Blog\u202c', '\u2069\u202c'],
    ['Blog\u202c\u2069', ''],
  ] as const)
    assert.is(toClosed(text), `${text}${added}`, JSON.stringify(text))
})

test.run()
