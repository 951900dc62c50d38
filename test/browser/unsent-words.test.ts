import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { PASSWORD, userLine } from '../dashboard/access/dashboards.js'
import { NESTED } from '../dashboard/managing.js'
import { HOME } from '../dashboard/visiting.js'
import { axeFaults } from '../support/browser.js'
import { eventually } from '../support/eventually.js'
import { LONG } from '../support/figures.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { test } from '../support/test.js'
import { handsOn, serveIn } from './editing.js'
import { visit } from './sites.js'

/** A page with words in it that nobody has yet but the browser. */
interface Subject {
  readonly path: (file: string) => string
  readonly field: string
  readonly button: string
  /** What is typed, of which the words are a part. */
  readonly typed: (words: string) => string
  /** Throws until the words have arrived. */
  readonly arrived: (page: Page, file: string, words: string) => Promise<void>
}

const folder = createMenusFolder({ 'menus/seed.yaml': NESTED.replace('main', 'seed') })
const stateFolder = join(folder.dir, '.menuscript')
mkdirSync(stateFolder)
writeUsers('edit')
let server = await serveIn(folder.dir)
const { url } = server
test.after(async () => {
  await server.stop()
  folder.close()
})

function writeUsers(role: 'edit' | 'view'): void {
  writeFileSync(join(stateFolder, 'users'), userLine('ana', role) + userLine('ben'))
}

const menuOf = (file: string): string => join(folder.dir, 'menus', file)
const textOf = (file: string): string => NESTED.replace('main', file.replace('.yaml', ''))

async function signIn(page: Page, user: string): Promise<void> {
  await page.getByLabel('Name').fill(user)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** What the browser keeps of each user who signed in. */
const sessions = new Map<string, Awaited<ReturnType<BrowserContext['cookies']>>>()

async function enter(page: Page, user: string): Promise<void> {
  const session = sessions.get(user)
  if (session !== undefined) return page.context().addCookies(session)
  await page.goto(`${url}${HOME}/sign-in`)
  await signIn(page, user)
  await page.getByRole('heading', { name: 'Menus' }).waitFor()
  sessions.set(user, await page.context().cookies())
}

/** Ben signs in, and then Ana in his place. */
async function enterBoth(page: Page): Promise<void> {
  for (const user of ['ben', 'ana']) {
    await page.context().clearCookies()
    await enter(page, user)
  }
}

const shows =
  (selector: string): Subject['arrived'] =>
  (page, file, words) =>
    eventually(async () => {
      await page.goto(`${url}${HOME}/edit?file=${file}`, { timeout: 10_000 })
      assert.is(await page.locator(selector, { hasText: words }).count(), 1)
    })
const isInFile: Subject['arrived'] = async (page, file, words) => {
  await page.getByRole('heading', { name: /is live\.$/ }).waitFor()
  await eventually(() => assert.match(readFileSync(menuOf(file), 'utf8'), words))
}
const FORMS: Readonly<Record<string, Subject>> = {
  'the form of an item': {
    path: (file) => `item?file=${file}&item=/items/0`,
    field: '[name="label:en"]',
    button: 'Save',
    typed: (words) => words,
    arrived: shows('.tree .name'),
  },
  'the form of a new item': {
    path: (file) => `item?file=${file}&item=/items/1&new=inside`,
    field: '[name="label:en"]',
    button: 'Save',
    typed: (words) => words,
    arrived: shows('.tree .name'),
  },
  'the form of a menu': {
    path: (file) => `settings?file=${file}`,
    field: '#name',
    button: 'Save',
    typed: (words) => words,
    arrived: shows('h1'),
  },
  'the text of a menu': {
    path: (file) => `text?file=${file}`,
    field: '#text',
    button: 'Publish',
    typed: (words) => `${NESTED}# ${words}\n`,
    arrived: isInFile,
  },
}

/** Something that happens before the words are sent; how it ends; and what the page says of it. */
interface Trouble {
  readonly begin: (page: Page, file: string) => unknown
  readonly end: (page: Page, file: string) => unknown
  /** With a script, and without one. Null where only the browser can say anything. */
  readonly reason: readonly [RegExp, RegExp | null]
  /** Whether the server takes the words nevertheless, into the draft. */
  readonly isInDraft?: boolean
}

const TROUBLES: Readonly<Record<string, Trouble>> = {
  'the session is over': {
    begin: (page) => page.context().clearCookies(),
    end: (page) => page.context().addCookies(sessions.get('ana') ?? []),
    reason: [/you are signed out/, /Your session is over/],
  },
  'somebody else is signed in': {
    begin: async (page) => {
      await page.context().clearCookies()
      await page.context().addCookies(sessions.get('ben') ?? [])
    },
    end: async (page) => {
      await page.context().clearCookies()
      await page.context().addCookies(sessions.get('ana') ?? [])
    },
    reason: [/someone else is signed in/, /ana filled in this form/],
  },
  'the role has changed': {
    begin: () => writeUsers('view'),
    end: () => writeUsers('edit'),
    reason: [/your role is now “view”/, /Your role is “view”/],
  },
  'the browser is offline': {
    begin: (page) => page.context().setOffline(true),
    end: (page) => page.context().setOffline(false),
    reason: [/the server does not respond/, null],
  },
  'the server is killed': {
    begin: async () => {
      server.send('SIGKILL')
      await server.ended
    },
    end: async () => {
      server = await serveIn(folder.dir, new URL(url).port)
    },
    reason: [/the server does not respond/, null],
  },
  'the file is gone': {
    begin: (_, file) => rmSync(menuOf(file)),
    end: (_, file) => writeFileSync(menuOf(file), textOf(file)),
    reason: [/deleted/, /deleted/],
    isInDraft: true,
  },
}

/** What Chromium itself says of such troubles. */
const EXPECTED = /status of 4\d\d|ERR_INTERNET_DISCONNECTED|ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY/
let cases = 0
/** A short run tries every trouble on one form, and one trouble on every form. */
const FIRST = 'the form of an item'

/** A file of its own, known to the service. */
async function newFile(page: Page): Promise<string> {
  const file = `case${++cases}.yaml`
  writeFileSync(menuOf(file), textOf(file))
  await eventually(async () => {
    const { status } = await fetch(`${url}/api/menu/case${cases}`)
    assert.is(status, 200)
    await page.goto(`${url}${HOME}/edit?file=${file}`)
    assert.is(await page.locator('.tree .name').count(), 5)
  })
  return file
}

/** Whether words are on the page: to be read, or in a field, be it a hidden one. */
function hasWords(page: Page, words: string): Promise<boolean> {
  return page.evaluate<boolean>(`{
    const fields = [...document.querySelectorAll('main input, main textarea')].map(({ value }) => value)
    const all = [document.querySelector('main').textContent, ...fields]
    all.some((each) => each.includes(${JSON.stringify(words)}))
  }`)
}

for (const [place, subject] of Object.entries(FORMS))
  for (const [name, trouble] of Object.entries(TROUBLES))
    for (const javaScriptEnabled of [true, false]) {
      const reason = trouble.reason[javaScriptEnabled ? 0 : 1]
      // The browser has the words, and sends them again where the operator reloads what it says of the trouble.
      if (reason === null) continue
      if (!LONG && place !== FIRST && name !== 'the session is over') continue
      const how = javaScriptEnabled ? 'with' : 'without'
      test(`E23: ${place} keeps its words when ${name}, ${how} JavaScript, and sends them afterwards`, async () => {
        const { page, close } = await visit({ locale: 'en', javaScriptEnabled })
        await enterBoth(page)
        const file = await newFile(page)
        const words = `Words ${cases}`
        await page.goto(`${url}${HOME}/${subject.path(file)}`)
        await page
          .locator(subject.field)
          .fill(subject.typed(words).replace('code: main', `code: case${cases}`))
        if (place === 'the form of a new item') await page.locator('#url').fill('/words')
        await trouble.begin(page, file)
        await page.getByRole('button', { name: subject.button, exact: true }).click()
        await page.locator('body', { hasText: reason }).waitFor()
        assert.ok(await hasWords(page, words), 'the words are on the page')
        if (javaScriptEnabled) assert.equal(await axeFaults(page), [])
        // The text of a menu that is gone makes the file anew; the changes of a form wait in the draft.
        if (trouble.isInDraft !== true) await trouble.end(page, file)
        const again = page.getByRole('button', { name: 'Send it now' })
        const button = page.getByRole('button', { name: subject.button, exact: true })
        // The form leads to a page. Leaving before that page is loaded would cancel the form.
        const press = async (pressed: typeof button): Promise<void> => {
          const arrived = page.waitForEvent('load', { timeout: 10_000 }).catch(() => {})
          await pressed.click()
          await arrived
        }
        if ((await again.count()) > 0) await press(again)
        if ((await button.count()) > 0) await press(button)
        await subject.arrived(page, file, words)
        await close(EXPECTED)
      })
    }

for (const [name, trouble] of Object.entries(TROUBLES)) {
  const reason = {
    'the session is over': /You are signed out/,
    'somebody else is signed in': /Someone else is signed in/,
    'the role has changed': /Your role is "view"/,
    'the file is gone': /The menu was deleted since you began/,
  }[name]
  test(`E23: an editor keeps its changes when ${name}, says so, and saves them afterwards`, async () => {
    const { page, close } = await visit({ locale: 'en' })
    await enterBoth(page)
    const file = await newFile(page)
    const { open, press, tree, saved } = handsOn(page, url)
    await open(file)
    await trouble.begin(page, file)
    await press('Blog', 'Alt+ArrowUp')
    await page.locator('body', { hasText: reason ?? trouble.reason[0] }).waitFor()
    await press('About', 'Alt+ArrowUp')
    const mine = '1 Home, 1 About, 1 Products, 2 Blog, 2 Lamps'
    assert.is(await tree(), mine)
    await trouble.end(page, file)
    await page.evaluate(`dispatchEvent(new Event('focus'))`)
    await saved()
    await open(file)
    assert.is(await tree(), mine)
    await page.getByText('2 changes, not published').waitFor()
    await close(EXPECTED)
  })
}

test.run()
