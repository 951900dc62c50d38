// Adds users to a users file, one by one. Arguments: FILE, the start of their names, how many.
import { done } from '../../src/model/result.js'
import { openUsers, withUser } from '../../src/store/users.js'

const [file = '', start, count] = process.argv.slice(2)
const users = openUsers(file)
for (let at = 0; at < Number(count); at++) {
  const user = { name: `${start}${at}`, role: 'view', epoch: 1, hash: null } as const
  const { fault } = await users.change((all) => done(withUser(all, user)))
  if (fault !== null) throw new Error(fault)
}
