import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
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

/** The folders of hubs by their files, for those that begin with the same. */
const made = new Map<string, string>()

/** Creates a hub whose branch `main` has these files: a copy, if there is one that began with them. */
export function createHub(files: Readonly<Record<string, string>>): Hub {
  const kind = JSON.stringify(files)
  const original = made.get(kind) ?? makeHub(files)
  made.set(kind, original)
  const folder = createLargeFolder()
  cpSync(original, folder.dir, { recursive: true })
  const config = join(folder.dir, 'work/.git/config')
  writeFileSync(config, readFileSync(config, 'utf8').replace(original, folder.dir))
  return { ...openHub(folder.dir), close: folder.close }
}

/** Makes a hub to copy; answers its folder, which goes with the process. */
function makeHub(files: Readonly<Record<string, string>>): string {
  const { dir } = createLargeFolder()
  const [url, work] = placesIn(dir)
  gitIn(dir, 'init', '--quiet', '--bare', '--template=', '--initial-branch=main', url)
  gitIn(dir, 'init', '--quiet', '--template=', '--initial-branch=main', work)
  gitIn(work, 'remote', 'add', 'origin', url)
  commitAndPush(work, files)
  return dir
}

function placesIn(dir: string): readonly [url: string, work: string] {
  return [join(dir, 'hub.git'), join(dir, 'work')]
}

function openHub(dir: string): Omit<Hub, 'close'> {
  const [url, work] = placesIn(dir)
  const git: Hub['git'] = (...args) => gitIn(url, ...args)
  const push: Hub['push'] = (changed, ...more) => {
    gitIn(work, 'fetch', '--quiet', 'origin', 'main')
    gitIn(work, 'reset', '--hard', '--quiet', 'FETCH_HEAD')
    return commitAndPush(work, changed, more)
  }
  return { url, work, git, push, textOf: (path) => `${git('show', `main:${path}`)}\n` }
}

function commitAndPush(
  work: string,
  changed: Parameters<Hub['push']>[0],
  more: readonly string[] = [],
): string {
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
  return headOf(work)
}
