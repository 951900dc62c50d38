// Claims the one-time links whose tokens come on stdin, once there is a file `go` beside the state folder; prints those
// that it got. Argument: the folder.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { takeLink } from '../../src/store/one-time-links.js'
import { openState } from '../../src/store/state.js'

const [dir = ''] = process.argv.slice(2)
const tokens = readFileSync(0, 'utf8').split('\n')
const { value: state } = openState(dir, join(dirname(dir), 'menus'))
console.log('ready')
const go = join(dirname(dir), 'go')
while (!existsSync(go)) await new Promise((resolve) => setTimeout(resolve, 1))
for (const token of tokens)
  if (state !== null && takeLink(state, token, Date.now()) !== null) console.log(token)
