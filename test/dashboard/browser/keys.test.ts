import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Pressed, toCommand, type Where } from '../../../src/dashboard/browser/keys.js'

const PLAIN: Pressed = { key: '', altKey: false, ctrlKey: false, metaKey: false, shiftKey: false }
const ON_ROW: Where = { isInField: false, isOnRow: true, isRightToLeft: false }

const press = (pressed: Partial<Pressed>, where: Partial<Where> = {}) =>
  toCommand({ ...PLAIN, ...pressed }, { ...ON_ROW, ...where })
const alt = (key: string): Partial<Pressed> => ({ key, altKey: true })
const control = (key: string): Partial<Pressed> => ({ key, ctrlKey: true })

test('Alt and an arrow move a row; nesting follows the direction of reading', () => {
  assert.is(press(alt('ArrowUp')), 'up')
  assert.is(press(alt('ArrowDown')), 'down')
  assert.is(press(alt('ArrowRight')), 'nest')
  assert.is(press(alt('ArrowLeft')), 'unnest')
  assert.is(press(alt('ArrowRight'), { isRightToLeft: true }), 'unnest')
  assert.is(press(alt('ArrowLeft'), { isRightToLeft: true }), 'nest')
})

test('In a field, undo and arrows belong to the field, but Ctrl+S publishes', () => {
  const inField = { isInField: true, isOnRow: false }
  assert.is(press(control('z'), inField), null)
  assert.is(press({ key: 'Delete' }, inField), null)
  assert.is(press({ key: '?' }, inField), null)
  assert.is(press(control('s'), inField), 'publish')
})

test('Undo and redo have the keys of both systems', () => {
  assert.is(press(control('z')), 'undo')
  assert.is(press({ key: 'z', metaKey: true }), 'undo')
  assert.is(press({ key: 'Z', ctrlKey: true, shiftKey: true }), 'redo')
  assert.is(press(control('y')), 'redo')
})

test('A key that is not ours is left to the browser', () => {
  for (const pressed of [alt('Tab'), control('p'), { key: 'Enter' }, { key: 'constructor' }, alt('toString')])
    assert.is(press(pressed), null)
  assert.is(press({ ...alt('ArrowUp'), ctrlKey: true }), null)
  assert.is(press({ key: 'Delete' }, { isOnRow: false }), null)
})

test.run()
