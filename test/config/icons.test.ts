import { test } from 'uvu'
import * as assert from 'uvu/assert'
import menuSchema from '../../schemas/menu.schema.json' with { type: 'json' }
import { ICON } from '../../src/config/icons.js'

test('Names of icons that are offered have the pattern that the schema of menus asks for', () => {
  assert.is(ICON.source.replaceAll('\\/', '/'), menuSchema.definitions.icon.pattern)
})

test.run()
