// Opens a state folder and, once there is a file `go` beside it, prints what is kept in it. Argument: the folder.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openState } from '../../src/store/state.js'

const [dir = ''] = process.argv.slice(2)
const { value: state } = openState(dir, join(dirname(dir), 'menus'))
console.log('ready')
const go = join(dirname(dir), 'go')
while (!existsSync(go)) await new Promise((resolve) => setTimeout(resolve, 1))
console.log(state?.keep('session-secret', () => `secret of ${process.pid}`))
