import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { matchEntityTag } from '../../src/web/conditional.js'

const TAGS = ['"a"', '"a-gzip"', '"a-br"']

test('A tag of ours is found alone, weak, and anywhere in a list', () => {
  for (const header of ['"a-br"', 'W/"a-br"', '"x", "a-br"', '"x" ,\tW/"a-br" , "y"', ',,"a-br",'])
    assert.is(matchEntityTag(header, TAGS), '"a-br"', header)
})

test('A star means any tag', () => {
  assert.is(matchEntityTag('*', TAGS), '"a"')
  assert.is(matchEntityTag(' * ', TAGS), '"a"')
})

test('Anything but a tag of ours is not found', () => {
  for (const header of ['', '"b"', 'a', '"A"', '"a', 'a"', 'w/"a"', '"*"', '*, "x"', '"a-"', '"a" "b"'])
    assert.is(matchEntityTag(header, TAGS), null, header)
})

test('Without a representation, nothing matches', () => {
  assert.is(matchEntityTag('*', []), null)
})

test.run()
