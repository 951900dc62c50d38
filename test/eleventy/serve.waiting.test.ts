import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { timesFigure } from '../support/figures.js'
import type { Running } from '../support/process.js'
import { test } from '../support/test.js'
import { CONFIG, openSite, type Site } from './site.js'

const EDITS = 50
/** Milliseconds after which an edit that is not served is never served, however busy the machine is. */
const PATIENCE_MS = 30_000

const menu = (label: string): string =>
  `version: 1\ncode: main\nname: Main\nitems:\n  - label: ${label}\n    routeName: home\n`

/** Serves a site of one page while a test runs; gone behind it, with all that it started. */
async function serving(
  first: string,
  args: readonly string[],
  use: (site: Site, server: Running, page: () => Promise<string>) => Promise<void>,
): Promise<void> {
  const site = openSite({
    'eleventy.config.js': CONFIG,
    'menuscript.config.yaml': 'routes: { home: /home }\n',
    'menus/main.yaml': first,
    'index.njk': "{{ dashboard_menu_html('main') }}",
  })
  const server = site.serve(...args)
  try {
    await server.waitFor(/^watching$/m)
    const page = async () => site.read('_site/index.html')
    // Eleventy itself misses changes of its templates, too, for a while after it says that it listens.
    await eventually(async () => {
      site.write('menus/main.yaml', menu('Awake'))
      await sleep(500)
      assert.match(await page(), '>Awake</a>')
    })
    await use(site, server, page)
    server.send('SIGINT')
    assert.equal(await server.ended, { code: 0, signal: null }, server.stderr())
  } finally {
    await server.stop()
  }
}

test('Under --serve, none of 50 edits of a menu is stale, however an editor saves', () =>
  serving(menu('Start'), [], async (site, _, page) => {
    const times: number[] = []
    for (let edit = 0; edit < EDITS; edit++) {
      const begun = performance.now()
      if (edit % 2 === 0) site.write('menus/main.yaml', menu(`Edit ${edit}`))
      else {
        site.write('menus/.main.yaml.swp', menu(`Edit ${edit}`))
        renameSync(join(site.dir, 'menus/.main.yaml.swp'), join(site.dir, 'menus/main.yaml'))
      }
      const isServed = async () => (await page()).includes(`>Edit ${edit}</a>`)
      while (!(await isServed())) {
        assert.ok(performance.now() - begun < PATIENCE_MS, `edit ${edit} is stale`)
        await sleep(10)
      }
      times.push(performance.now() - begun)
    }
    timesFigure('an edit of a menu under eleventy --serve', times, 'under a second')
  }))

const wrong = (label: string): string => menu(label).replace('label', 'lable')

test('Under --serve, an error in a menu is reported with file and line, also at the start, and the last good version stays', () =>
  serving(wrong('Start'), ['--incremental'], async (site, server, page) => {
    await server.waitFor(/\[menuscript\] menus\/main\.yaml:5:5: unknown-key: .* Did you mean "label"\?/)
    site.write('menus/main.yaml', `# Wrong again.\n${wrong('Wrong')}`)
    await server.waitFor(/\[menuscript\] menus\/main\.yaml:6:5: unknown-key/)
    await sleep(300)
    assert.match(await page(), '>Awake</a>')
    site.write('menus/main.yaml', menu('Fixed'))
    await eventually(async () => assert.match(await page(), '>Fixed</a>'))
  }))

test('Under --serve, changes of the configuration take effect, and a wrong one does not', () =>
  serving(menu('Start'), [], async (site, server, page) => {
    site.write('menuscript.config.yaml', 'routes: { home: /house }\n')
    await eventually(async () => assert.match(await page(), 'href="/house"'))
    site.write('menuscript.config.yaml', 'route: { home: /nowhere }\n')
    await server.waitFor(/\[menuscript\] .*menuscript\.config\.yaml:1:1: "route" is not a key/)
    site.write('menus/main.yaml', menu('After'))
    await eventually(async () => assert.match(await page(), /href="\/house".*>After</))
    site.write('menuscript.config.yaml', 'routes: { home: /home }\n')
    await eventually(async () => assert.match(await page(), 'href="/home"'))
  }))

test.run()
