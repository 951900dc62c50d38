import * as assert from 'uvu/assert'
import { CLIENT_ID, CLIENT_SECRET, openProvider } from '../dashboard/access/providers.js'
import { MENU } from '../dashboard/managing.js'
import { CLI } from '../readme/readme.js'
import { freePort } from '../support/free-port.js'
import { createMenusFolder } from '../support/menus-folder.js'
import { startProcess } from '../support/process.js'
import { closing, test } from '../support/test.js'
import { judgePage } from './judge.js'
import { visit } from './sites.js'

for (const javaScriptEnabled of [true, false]) {
  test(`A click signs in at a provider on another site, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async () => {
    const port = await freePort()
    // Another name of this machine is another site for browsers.
    const url = `http://localhost:${port}`
    const redirectUri = `${url}/admin/menus/sign-in/oidc/callback`
    const people = { 1: { preferred_username: 'ana' } }
    const provider = closing(await openProvider({ redirectUri, people }))
    const oidc = {
      ...{ issuer: provider.issuer, client_id: CLIENT_ID, client_secret_file: 'client-secret' },
      ...{ label: 'Acme', default_role: 'edit' },
    }
    const config = { server: { host: 'localhost', port, public_url: url }, dashboard: { oidc } }
    const files = { 'menuscript.config.json': JSON.stringify(config), 'client-secret': CLIENT_SECRET }
    const folder = closing(createMenusFolder({ ...files, 'menus/main.yaml': MENU }))
    const service = startProcess('node', [CLI, 'serve'], { cwd: folder.dir })
    closing({ close: () => service.stop() })
    await service.waitFor(/listening on/)
    const { page } = await visit({ locale: 'en', javaScriptEnabled })
    await page.goto(`${url}/admin/menus/problems`)
    // axe needs JavaScript.
    if (javaScriptEnabled) await judgePage(page, 'en')
    await page.getByRole('link', { name: 'Sign in with Acme' }).click()
    // The provider refuses everyone, until somebody is there.
    await page.getByRole('alert').waitFor()
    assert.match(await page.getByRole('alert').innerText(), 'Acme did not sign you in')
    provider.user = '1'
    await page.getByRole('link', { name: 'Sign in with Acme' }).click()
    await page.getByText('Signed in as ana').waitFor()
    assert.is(new URL(page.url()).pathname, '/admin/menus/problems')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('You are signed out').waitFor()
  })
}

test.run()
