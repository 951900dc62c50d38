import { validate } from 'dockerfile-utils'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { COMMANDS } from './commands.js'
import { fetchIn, inContainer } from './container.js'
import { CAN_CHROOT } from './image.js'
import { kitText } from './kit.js'
import { siteImage } from './site.js'

test('The linter finds nothing in the Dockerfile', () => {
  assert.equal(
    validate(kitText('Dockerfile')).map(({ message }) => message),
    [],
  )
  assert.is(validate(kitText('Dockerfile').replace('EXPOSE 4400', 'EXPOSED 4400')).length, 1)
})

test('Its steps make an image that runs with a read-only root, is healthy, and ends by SIGTERM', async () => {
  if (!CAN_CHROOT) return console.log('    not tried: only root can change the root folder')
  const image = await siteImage()
  assert.match(image.user, /^[1-9]\d*:[1-9]\d*$/)
  await inContainer(image, {}, async (container) => {
    const { execute, log, stop } = container
    assert.match(await fetchIn(container, '/api/menu/main'), ' 200 [{"label":"Home"')
    assert.equal(await execute(...image.health), [0, ''])
    assert.match((await execute('touch', '/app/x'))[1], 'Read-only file system')
    assert.is((await execute('touch', '/tmp/x'))[0], 0)
    const add = `printf 'a long password\\n' | ${COMMANDS.addUser} --password-stdin`
    assert.is((await execute('sh', '-c', add))[0], 0)
    assert.match((await execute('git', '--version'))[1], 'git version')
    const { backUpContainer, restoreContainer } = COMMANDS
    const script = `${backUpContainer} > /tmp/state.tgz && (${restoreContainer}) < /tmp/state.tgz && menuscript user list`
    assert.match((await execute('sh', '-c', script))[1], /^ana /m)
    assert.is(await stop(), 0)
    assert.match(log(), '"stopped"')
    assert.is((await execute(...image.health))[0], 1)
  })
})

test.run()
