import { readlinkSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path'

/** More links than any system follows for one path. */
const MAX_LINKS = 40
const SEPARATOR = sep === '/' ? '/' : /[\\/]/

/**
 * Everything on the way to a file of a folder: the path itself, each folder on the way, each link, and their targets,
 * existing or not. Paths from `root`, with `/`; paths outside it are left out.
 */
export function wayTo(root: string, path: string): readonly string[] {
  const realRoot = realpathSync(root)
  const stops = new Set<string>()
  let rest = path.split('/')
  let at = realRoot
  for (let links = 0; rest.length > 0 && links <= MAX_LINKS; ) {
    const [name = '', ...more] = rest
    const place = join(at, name)
    const own = relative(realRoot, place).split(sep).join('/')
    if (own !== '' && own !== '..' && !own.startsWith('../') && !isAbsolute(own)) stops.add(own)
    const target = toTarget(place)
    rest = more
    at = place
    if (target === null) continue
    links++
    const { root: top } = parse(target)
    at = top === '' ? join(place, '..') : top
    rest = [...target.slice(top.length).split(SEPARATOR), ...more]
  }
  return [...stops]
}

/** The same for a folder of a work tree, on the way from its top; nothing where the folder is reached from elsewhere. */
export function wayToFolder(root: string, folder: string): readonly string[] {
  const ways = [folder]
  for (let at = folder; dirname(at) !== at; at = dirname(at)) ways.push(dirname(at))
  // The shortest one: a link on the way may lead back to the top.
  const top = ways.findLast((each) => leadsTo(each, resolve(root)))
  return top === undefined ? [] : wayTo(root, relative(top, folder).split(sep).join('/'))
}

function leadsTo(path: string, real: string): boolean {
  try {
    return realpathSync(path) === real
  } catch {
    return false
  }
}

/** The target of a link, as written; null for anything else, or where it is not readable. */
function toTarget(place: string): string | null {
  try {
    return readlinkSync(place)
  } catch {
    return null
  }
}
