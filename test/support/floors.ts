import { isBuiltin } from 'node:module'
import { posix } from 'node:path'

/** Source texts by their path from the top of the project, such as `src/model/menu.ts`. */
export type Sources = ReadonlyMap<string, string>

/** How high each folder of src/ is: an import leads down, never sideways. */
const FLOORS: Readonly<Record<string, number>> = {
  model: 0,
  change: 1,
  client: 1,
  document: 2,
  service: 3,
  render: 3,
  store: 4,
  config: 4,
  review: 5,
  export: 5.2,
  web: 5.5,
  http: 6,
  nunjucks: 6,
  dashboard: 6,
  cli: 8,
}
/** The folders inside a floor, from the lowest up; what lies beside them is for all of them. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  change: ['operations', 'actions', 'compare', 'merge'],
  document: ['rules', 'read', 'edit', 'merge', 'exchange'],
  service: ['explain'],
  store: ['git', 'publish', 'drafts', 'remote', 'live'],
  review: ['lint', 'diff', 'history', 'merge'],
  dashboard: ['browser', 'access', 'deeds', 'routes', 'texts', 'forms', 'pages'],
}
/** Floors that lie below and are not for a folder: the runtime puts them together. */
const CLOSED: Readonly<Record<string, readonly string[]>> = {
  cli: ['web', 'http', 'nunjucks', 'dashboard'],
}
/** The one place from which each package is used: a file, or a folder where it is the matter of all its files. */
const HOMES: Readonly<Record<string, string | readonly string[]>> = {
  '@opentelemetry/api': 'src/web/tracing.ts',
  ajv: ['src/document/read/', 'src/dashboard/validators.ts', 'src/dashboard/routes/route.ts'],
  chokidar: 'src/store/live/watch.ts',
  commander: 'src/cli',
  'csv-parse': 'src/document/exchange/translations-csv.ts',
  'jsonc-parser': ['src/http/menu-target.ts', 'src/document/exchange/read-json.ts'],
  leven: 'src/document/did-you-mean.ts',
  negotiator: ['src/service/request-locale.ts', 'src/web/encoding.ts'],
  nunjucks: 'src/dashboard/pages/render.ts',
  'openid-client': 'src/dashboard/access/oidc.ts',
  polka: 'src/http/app.ts',
  'prom-client': 'src/http/metrics.ts',
  sax: 'src/document/exchange/translations-xliff.ts',
  sirv: 'src/http/static-site.ts',
  yaml: 'src/document/',
}
/** Used wherever something bounded is kept. */
const EVERYWHERE = ['lru-cache']
/** What runs in browsers, and the floors that do as well. */
const IN_BROWSERS = 'src/dashboard/browser/'
const BROWSER_FLOOR = 1
/** The files at the top of src/. */
const DOORS: Readonly<Record<string, number>> = {
  'runtime.ts': 7,
  'index.ts': 8.5,
  'cli.ts': 8.5,
  'eleventy.ts': 9,
}
/** From here on up the machine may be touched; below, everything is computed. */
const MACHINE = 4
/** What of the machine is there without an import, and the files below that may use it. */
const GLOBALS = /(?<![\w$.'"`])(process|console)\s*(?:\?\.|[.[])/g
const ALLOWED_GLOBALS: Readonly<Record<string, string>> = {
  // The library's log of last resort: a program that gives none is told on its own console.
  'src/service/log.ts': 'console',
}
/** What lies outside src/ and may be compiled in. */
const DATA = /^(schemas\/[\w.-]+|package)\.json$/
const LONGEST = 300

/** Every breach of the law of the floors, in words; none is fine. */
export function floorFaults(sources: Sources): string[] {
  const faults: string[] = []
  for (const [path, text] of sources) {
    const height = heightOf(path)
    if (height === null) faults.push(`${path}: no floor has this name`)
    const lines = text.trimEnd().split('\n').length
    if (lines > LONGEST) faults.push(`${path}: ${lines} lines, and ${LONGEST} are a wall`)
    for (const specifier of importsOf(text)) {
      const fault =
        height === null ? null : (importFault(path, height, specifier) ?? roomFault(path, specifier))
      if (fault !== null) faults.push(`${path}: ${fault}`)
    }
    if (height !== null && height < MACHINE) {
      for (const name of globalsOf(text)) {
        const isAllowed = ALLOWED_GLOBALS[path] === name
        if (!isAllowed) faults.push(`${path}: ${name} is only for store/ and above`)
      }
    }
  }
  return [...faults, ...cycles(sources).map((cycle) => `a cycle: ${cycle.join(' → ')}`)]
}

/** What a file imports or re-exports, types too: who reads a type has to know where it lives. */
export function importsOf(text: string): string[] {
  const code = withoutComments(text)
  const statement = /^[ \t]*(?:import|export)\b(?:[^;'"`]*?\bfrom)?\s*(['"])([^'"\n]+)\1/gm
  const call = /\b(?:import|require)\s*\(\s*(['"`])([^'"`\n]+)\1/g
  return [statement, call].flatMap((pattern) =>
    [...code.matchAll(pattern)].map(([, , specifier = '']) => specifier),
  )
}

/** What of the machine a file uses without an import, each once. */
function globalsOf(text: string): string[] {
  const code = withoutComments(text).replaceAll(/\bglobalThis\s*\??\./g, '')
  return [...new Set([...code.matchAll(GLOBALS)].map(([, name = '']) => name))]
}

/** Only comments that begin a line go: `/*` in the middle of one is more likely a glob in quotes. */
function withoutComments(text: string): string {
  return text.replace(/^[ \t]*(\/\*[\s\S]*?\*\/|\/\/.*$)/gm, '')
}

/** The height of a file's floor; null when it stands on none. */
function heightOf(path: string): number | null {
  const [top, first = '', ...deeper] = path.split('/')
  if (top !== 'src') return null
  const heights = deeper.length === 0 ? DOORS : FLOORS
  return Object.hasOwn(heights, first) ? (heights[first] ?? null) : null
}

function importFault(path: string, height: number, specifier: string): string | null {
  if (!specifier.startsWith('.')) return packageFault(height, specifier) ?? homeFault(path, specifier)
  const target = targetOf(path, specifier)
  if (!target.startsWith('src/')) {
    return height > 0 && DATA.test(target) ? null : `${specifier} leads out of src/`
  }
  const targetHeight = heightOf(target)
  if (targetHeight === null) return `${specifier} leads to no floor`
  if (CLOSED[folderOf(path)]?.includes(folderOf(target)) === true)
    return `${specifier} is what runtime.ts puts together`
  if (path.startsWith(IN_BROWSERS) && !target.startsWith(IN_BROWSERS) && targetHeight > BROWSER_FLOOR)
    return `${specifier} is not for browsers`
  const ownFolder = path.split('/').length > 2 && folderOf(path) === folderOf(target)
  return ownFolder || targetHeight < height ? null : `${specifier} does not lead down`
}

/** An import between folders of one floor that does not lead to a lower one. */
function roomFault(path: string, specifier: string): string | null {
  const target = targetOf(path, specifier)
  const rooms = ROOMS[folderOf(path)]
  if (!specifier.startsWith('.') || rooms === undefined || folderOf(path) !== folderOf(target)) return null
  const [from, to] = [path, target].map((each) => each.split('/').slice(2, -1)[0] ?? null)
  if ([from, to].some((room) => room != null && !rooms.includes(room)))
    return `${specifier}: the floor has no such folder`
  if (from == null || to == null || from === to) return null
  return rooms.indexOf(to) < rooms.indexOf(from) ? null : `${specifier} does not lead down within the floor`
}

/** A package that is used from elsewhere than its one home. */
function homeFault(path: string, specifier: string): string | null {
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
  if (isBuiltin(specifier) || EVERYWHERE.includes(name)) return null
  const home = Object.hasOwn(HOMES, name) ? HOMES[name] : undefined
  if (home === undefined) return `the package ${name} has no home yet`
  const homes = [home].flat()
  return homes.some((each) => path.startsWith(each))
    ? null
    : `the package ${name} is used from ${homes.join(' and ')} alone`
}

function packageFault(height: number, specifier: string): string | null {
  if (height === 0) return `the model imports nothing, and this is ${specifier}`
  if (height < MACHINE && isBuiltin(specifier)) return `${specifier} is only for store/ and above`
  return null
}

function folderOf(path: string): string {
  return path.split('/')[1] ?? ''
}

/** The source file that a relative specifier means. */
function targetOf(path: string, specifier: string): string {
  return posix.join(posix.dirname(path), specifier).replace(/\.js$/, '.ts')
}

/** Each cycle of imports once, from the file where it was entered. */
function cycles(sources: Sources): string[][] {
  const found: string[][] = []
  const done = new Set<string>()
  const visit = (path: string, way: readonly string[]): void => {
    if (way.includes(path)) found.push([...way.slice(way.indexOf(path)), path])
    if (way.includes(path) || done.has(path)) return
    for (const specifier of importsOf(sources.get(path) ?? '')) {
      const target = targetOf(path, specifier)
      if (specifier.startsWith('.') && sources.has(target)) visit(target, [...way, path])
    }
    done.add(path)
  }
  for (const path of sources.keys()) visit(path, [])
  return found
}
