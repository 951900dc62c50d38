import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createLargeFolder } from './menus-folder.js'
import { gitIn, headOf } from './repository.js'

/** A bare repository that several services and people share, with a clone in which a person works. */
export interface Hub {
  /** The folder of the bare repository. */
  readonly url: string
  /** The folder of the clone. */
  readonly work: string
  /** Runs git in the bare repository. */
  readonly git: (...args: readonly string[]) => string
  /** Commits files to `main` on what it is by now, and pushes that; answers the commit. A content of null deletes a file. */
  readonly push: (files: Readonly<Record<string, string | null>>, ...more: readonly string[]) => string
  /** The text of a file of `main`. */
  readonly textOf: (path: string) => string
  readonly close: () => void
}

/** Creates a hub whose branch `main` has these files. */
export function createHub(files: Readonly<Record<string, string>>): Hub {
  const folder = createLargeFolder()
  const [url, work] = [join(folder.dir, 'hub.git'), join(folder.dir, 'work')]
  gitIn(folder.dir, 'init', '--quiet', '--bare', '--template=', '--initial-branch=main', url)
  gitIn(folder.dir, 'init', '--quiet', '--template=', '--initial-branch=main', work)
  gitIn(work, 'remote', 'add', 'origin', url)
  const git: Hub['git'] = (...args) => gitIn(url, ...args)
  let hasMain = false
  const push: Hub['push'] = (changed, ...more) => {
    if (hasMain) {
      gitIn(work, 'fetch', '--quiet', 'origin', 'main')
      gitIn(work, 'reset', '--hard', '--quiet', 'FETCH_HEAD')
    }
    for (const [path, text] of Object.entries(changed)) {
      if (text === null) gitIn(work, 'rm', '--quiet', path)
      else {
        mkdirSync(dirname(join(work, path)), { recursive: true })
        writeFileSync(join(work, path), text)
      }
    }
    gitIn(work, 'add', '--all')
    gitIn(work, 'commit', '--quiet', '--allow-empty', '--message', 'By hand')
    gitIn(work, 'push', '--quiet', ...more, 'origin', 'HEAD:main')
    hasMain = true
    return headOf(work)
  }
  push(files)
  return { url, work, git, push, textOf: (path) => `${git('show', `main:${path}`)}\n`, close: folder.close }
}
