import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { once } from '../../src/web/once.js'

test('What was made is kept, also for those who ask meanwhile', async () => {
  let made = 0
  const load = once(async () => ++made)
  assert.equal(await Promise.all([load(), load()]), [1, 1])
  assert.is(await load(), 1)
})

test('What failed is done again for the next who asks', async () => {
  let tries = 0
  const load = once(async () => {
    if (++tries === 1) throw new Error('no descriptor is free')
    return tries
  })
  assert.is(await load().catch(({ message }) => message), 'no descriptor is free')
  assert.is(await load(), 2)
})

test.run()
