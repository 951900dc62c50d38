import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commitFiles } from '../../../src/store/git/commit.js'
import { openRepository } from '../../../src/store/git/repository.js'

/** Commits a file of the current folder again and again, COUNT times; waits where git is busy. Prints what became of each, a line each. */
const [path = '', count = ''] = process.argv.slice(2)
const { value: repository } = await openRepository('.')
if (repository === null) throw new Error('no repository')
for (let number = 1; number <= Number(count); number++) {
  const text = `${path} ${number}\n`
  writeFileSync(join(repository.root, path), text)
  const request = { paths: [path], isOurs: () => true, author: { name: path, email: null }, message: text }
  let { kind } = await commitFiles(repository, request)
  while (kind === 'busy') kind = (await commitFiles(repository, request)).kind
  console.log(kind)
}
