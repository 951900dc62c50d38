import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { HttpAnswer } from '../support/http.js'
import { menuText, withSite } from './sites.js'

const MENU = menuText('main', 'Home')

/** The answer of a site with this one menu file; not modified when the tag is that of its body. */
async function answerOf(text: string, tag?: string): Promise<HttpAnswer> {
  const answers: HttpAnswer[] = []
  await withSite({ 'main.yaml': text }, {}, async ({ ask }) => {
    answers.push(await ask('/api/menu/main', { headers: tag === undefined ? {} : { 'if-none-match': tag } }))
  })
  const [answer] = answers
  if (answer === undefined) throw new Error('no answer')
  return answer
}

test('D17: a 304 repeats the version and the language of the 200 that it replaces, and has no body', async () => {
  const { status, headers } = await answerOf(MENU)
  assert.is(status, 200)
  const again = await answerOf(MENU, headers['etag'])
  assert.equal([again.status, again.body.length], [304, 0])
  for (const name of ['menu-version', 'content-language', 'etag', 'cache-control', 'vary']) {
    assert.ok(headers[name] !== undefined, name)
    assert.is(again.headers[name], headers[name], name)
  }
})

test('D17: an edit of a comment changes no body and no tag, but the version of a 304', async () => {
  const { headers } = await answerOf(MENU)
  const edited = await answerOf(`# Why this menu is as it is.\n${MENU}`, headers['etag'])
  assert.is(edited.status, 304)
  assert.type(edited.headers['menu-version'], 'string')
  assert.is.not(edited.headers['menu-version'], headers['menu-version'])
})

test.run()
