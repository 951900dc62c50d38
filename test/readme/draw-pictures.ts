// Draws the pictures of the README anew: npm run build && node --import tsx test/readme/draw-pictures.ts
import { writeFileSync } from 'node:fs'
import { openBrowser } from '../support/browser.js'
import { PICTURES } from './pictures.js'
import { ROOT } from './readme.js'
import { toSmallPng } from './small-png.js'

const browser = await openBrowser()
const { page: desk } = await browser.visitor()
for (const { name, show } of PICTURES) {
  await show(browser, async (page, clip) => {
    const picture = await toSmallPng(await page.screenshot({ clip, fullPage: true }), desk)
    writeFileSync(`${ROOT}/docs/pictures/${name}.png`, picture)
    console.log(`${name}.png: ${picture.length} bytes`)
  })
}
await browser.close()
