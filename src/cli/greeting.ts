import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { toVisible } from '../document/source.js'
import type { Snapshot } from '../model/snapshot.js'
import { count } from '../review/count.js'
import { toShellWord as quoted } from '../review/shell-word.js'
import type { Site } from '../review/site.js'

/** The output of `serve` once it listens: what is served, a request to try, and how to begin where there is nothing yet. */
export function toGreeting(
  version: string,
  site: Site,
  snapshot: Snapshot,
  url: string,
  link: string | null,
): readonly string[] {
  const { api } = site.options
  const menus = count(snapshot.served.size, 'menu')
  const example = api.enabled ? exampleOf(snapshot) : null
  return [
    `menuscript ${version} serves ${menus} from ${site.menusFolder}`,
    ...(example === null ? [] : [`try: curl '${url}${api.path_prefix}/${example}'`]),
    ...(snapshot.files.length === 0 ? toFirstSteps(site) : []),
    ...(link === null ? [] : [`sign in to the dashboard within 15 minutes: ${link}`]),
    `listening on ${url}`,
  ]
}

/** A request that has a response: the menu `main` or the first that needs no context; else one with its context. */
function exampleOf({ served }: Snapshot): string | null {
  const menus = [...served.values()].map(({ menu }) => menu)
  const plain = menus.filter(({ context }) => Object.keys(context).length === 0)
  const menu = plain.find(({ code }) => code === 'main') ?? plain[0] ?? menus[0]
  if (menu === undefined || plain.includes(menu)) return menu?.code ?? null
  // An apostrophe would end the quotes of the shell.
  const sets = encodeURIComponent(JSON.stringify([menu.context])).replaceAll("'", '%27')
  return `${menu.code}?_context_sets=${sets}`
}

/** A menu file that lies beside the menus folder is moved; otherwise a first one is made. */
function toFirstSteps(site: Site): readonly string[] {
  const { menusFolder, options, remote } = site
  if (remote !== null) {
    const place = remote.path === '' ? 'the top folder' : `the folder ${remote.path}`
    return [
      `There is no menu in ${place} on the branch ${remote.branch}: push one, or correct storage.git.path`,
    ]
  }
  const prefix = options.storage.file_prefix
  const strays = findStrays(site)
  if (strays.length > 0) {
    const moves = strays.map((name) => {
      const renamed = name.startsWith(prefix) ? '' : `${prefix}${name}`
      return `mv -- ${quoted(name)} ${quoted(`${menusFolder}/${renamed}`)}`
    })
    const are = strays.length === 1 ? 'is a file that looks like one' : 'are files that look like menus'
    return [
      '',
      `There is no menu in ${menusFolder}, and here ${are}: ${strays.join(', ')}. To serve them, move them:`,
      '',
      [`mkdir -p ${quoted(menusFolder)}`, ...moves].join(' && '),
      '',
    ]
  }
  const file = quoted(`${menusFolder}/${prefix}main.yaml`)
  return [
    '',
    'There is no menu yet. Create the first one; it is served as soon as it is saved:',
    '',
    // Flush left, so that it works as it is pasted.
    `mkdir -p ${quoted(menusFolder)} && cat > ${file} <<'END'`,
    'version: 1',
    'code: main',
    'name: Main menu',
    'items:',
    '  - label: Home',
    '    url: /',
    'END',
    '',
    'Or create it with completion for editors: menuscript new main',
    '',
  ]
}

/** At most this many files of a folder are read, each of at most this many bytes. */
const MAX_STRAYS = 50
const MAX_BYTES = 1_000_000

/** Files of the current folder with `code:` and `items:`, which would be menus in the menus folder. */
function findStrays({ folder, menusFolder }: Site): readonly string[] {
  if (folder === menusFolder) return []
  try {
    // A name that a terminal would obey is not one to print.
    const names = readdirSync(folder).filter(
      (name) => /^[^.].*\.ya?ml$/.test(name) && toVisible(name) === name,
    )
    return names.slice(0, MAX_STRAYS).filter((name) => looksLikeMenu(join(folder, name)))
  } catch {
    return []
  }
}

function looksLikeMenu(file: string): boolean {
  try {
    const stats = statSync(file)
    // Reading a pipe would wait for a writer.
    if (!stats.isFile() || stats.size > MAX_BYTES) return false
    const text = readFileSync(file, 'utf8')
    return /^code:/m.test(text) && /^items:/m.test(text)
  } catch {
    return false
  }
}
