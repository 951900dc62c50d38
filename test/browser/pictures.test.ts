import { readdirSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { PICTURES } from '../readme/pictures.js'
import { ROOT } from '../readme/readme.js'
import { toSmallPng } from '../readme/small-png.js'
import { sharedBrowser } from './sites.js'

const browser = await sharedBrowser()

/** What can be read in each picture; the pixels are not compared, since each machine has its own fonts. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  dashboard: ['Back office sidebar', 'Footer', 'New menu'],
  editor: ['Living room', 'Magazine', '1 change, not published'],
  menu: ['New in', 'Lamps', 'Kitchen', 'Magazine'],
  review: ['Before', 'After', 'Payouts'],
  'style-list': ['About us', 'Delivery', 'Imprint'],
  'style-details': ['Brightness', 'E27', 'Fit a lamp'],
  'style-disclosure': ['Magazine', 'By room', 'Kitchen'],
  'style-narrow': ['New in', 'Kitchen', 'Service'],
  'style-tabs': ['Orders', 'On the way'],
  'style-breadcrumbs': ['Lamps', 'Kitchen'],
  'example-help': ['Help centre', 'Where is my order?'],
  'example-museum': ['Exhibitions', 'Lighthouses'],
}

test('Every screenshot has a source', () => {
  const screenshots = readdirSync(`${ROOT}/docs/pictures`).filter((name) => name.endsWith('.png'))
  assert.equal(screenshots.sort(), PICTURES.map(({ name }) => `${name}.png`).sort())
})

for (const { name, show } of PICTURES) {
  test(`The source of the picture "${name}" still shows what the picture shows`, () =>
    show(browser, async (page, clip) => {
      for (const text of SHOWN[name] ?? []) {
        const box = await page
          .getByText(text, { exact: true })
          .filter({ visible: true })
          .first()
          .boundingBox()
        assert.ok(box !== null && box.y + box.height <= clip.y + clip.height, text)
      }
    }))
}

test('A picture is made smaller without another size', async () => {
  const { page, close } = await browser.visitor({ width: 300 })
  // A page that was of the dashboard keeps what its policy forbids, such as images of data.
  await page.goto(
    'data:text/html,<h1>Menu</h1><p style="background: linear-gradient(red, blue)">A gradient</p>',
  )
  const png = await page.screenshot()
  const small = await toSmallPng(png, page)
  assert.ok(small.length < png.length)
  const size = await page.evaluate(`(async () => {
    const answer = await fetch('data:image/png;base64,${small.toString('base64')}')
    const image = await createImageBitmap(await answer.blob())
    return [image.width, image.height]
  })()`)
  assert.equal(size, [300, 800])
  await close()
})

test.run()
