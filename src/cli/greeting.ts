import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/load-config.js'
import { toVisible } from '../document/source.js'
import type { Snapshot } from '../model/snapshot.js'
import { count } from '../review/count.js'
import { toShellWord as quoted } from '../review/shell-word.js'
import type { CommandContext } from './command.js'

/** The output of `serve` once it listens: what is served, a request to try, and how to begin where there is nothing yet. */
export function toGreeting(
  { version, folder }: CommandContext,
  config: Config,
  snapshot: Snapshot,
  address: string,
): string[] {
  const { api } = config.options
  const menus = count(snapshot.served.size, 'menu')
  const lines = [`menuscript ${version} serves ${menus} from ${config.menusFolder}`]
  const example = exampleOf(snapshot)
  if (api.enabled && example !== null) lines.push(`try: curl '${address}${api.path_prefix}/${example}'`)
  if (snapshot.files.length === 0) lines.push(...toFirstSteps(config, folder))
  return [...lines, `listening on ${address}`]
}

/** A request that has an answer: the menu `main` or the first that needs no context; else one with its context. */
function exampleOf({ served }: Snapshot): string | null {
  const menus = [...served.values()].map(({ menu }) => menu)
  const plain = menus.filter(({ context }) => Object.keys(context).length === 0)
  const menu = plain.find(({ code }) => code === 'main') ?? plain[0] ?? menus[0]
  if (menu === undefined) return null
  const sets = plain.includes(menu)
    ? ''
    : // An apostrophe would end the quotes of the shell.
      `?_context_sets=${encodeURIComponent(JSON.stringify([menu.context])).replaceAll("'", '%27')}`
  return menu.code + sets
}

/** A menu file that lies beside the menus folder is moved; otherwise a first one is made. */
function toFirstSteps({ menusFolder, options }: Config, folder: string): string[] {
  const prefix = options.storage.file_prefix
  const strays = findStrays(folder, menusFolder)
  if (strays.length > 0) {
    const moves = strays.map((name) => {
      const renamed = name.startsWith(prefix) ? '' : `${prefix}${name}`
      return `mv -- ${quoted(name)} ${quoted(`${menusFolder}/${renamed}`)}`
    })
    const are = strays.length === 1 ? 'is what looks like one' : 'are files that look like some'
    return [
      '',
      `There is no menu in ${menusFolder}, and here ${are}: ${strays.join(', ')}. Served as soon as moved:`,
      '',
      [`mkdir -p ${quoted(menusFolder)}`, ...moves].join(' && '),
      '',
    ]
  }
  const file = quoted(`${menusFolder}/${prefix}main.yaml`)
  return [
    '',
    'There is no menu yet. Make the first one; it is served as soon as it is saved:',
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
    'Or let it be written, with help for editors: menuscript new main',
    '',
  ]
}

/** At most this many files of a folder are read, each of at most this many bytes. */
const MAX_STRAYS = 50
const MAX_BYTES = 1_000_000

/** Files of the current folder with `code:` and `items:`, which would be menus in the menus folder. */
function findStrays(folder: string, menusFolder: string): string[] {
  if (folder === menusFolder) return []
  // A name that a terminal would obey is not one to print.
  const names = listNames(folder).filter((name) => /^[^.].*\.ya?ml$/.test(name) && toVisible(name) === name)
  return names.slice(0, MAX_STRAYS).filter((name) => looksLikeMenu(join(folder, name)))
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function looksLikeMenu(file: string): boolean {
  try {
    const stats = statSync(file)
    // A pipe would wait for somebody to write to it.
    if (!stats.isFile() || stats.size > MAX_BYTES) return false
    const text = readFileSync(file, 'utf8')
    return /^code:/m.test(text) && /^items:/m.test(text)
  } catch {
    return false
  }
}
