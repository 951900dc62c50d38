import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'

const SRC = join(import.meta.dirname, '..', 'src')

/** What breaks with the next version of Node or of a library, as it appears in code. */
const INTERNALS: Readonly<Record<string, RegExp>> = {
  'an underscored member': /(?:\.|\boverride )_(?!locale\b|context_sets\b)[a-z]\w*/i,
  'a file of /proc': /["'`](\/proc\b)/g,
  'the life of asynchronous resources': /["'](?:node:)?(async_hooks)["']/g,
  'a prototype that is changed': /\.prototype(?:\.\w+|\[[^\]]+\])? = |\bsetPrototypeOf\b/,
  // Those of the language have no state that is hidden.
  'a method of a prototype': /\b(?!Array|Object|Promise)\w+\.prototype\./,
  'a listener that somebody else has set': /\.(?:rawL|l)isteners\(/,
  'a member of a request or an answer that is redefined':
    /\bdefineProperty\((?:request|response|socket|server)\b/,
  'a binding of Node': /\b(?:process\.binding|internalBinding)\b/,
}

/** The internals that a source uses, each once. */
function internalsIn(text: string): string[] {
  const code = text.replace(/^[ \t]*(\/\*[\s\S]*?\*\/|\/\/.*$)/gm, '')
  return Object.entries(INTERNALS)
    .filter(([, pattern]) => pattern.test(code))
    .map(([what]) => what)
}

test('The sources use no internals of Node or of a library', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
  assert.ok(files.length > 100, 'the sources are not where this test looks for them')
  const found = files.flatMap((path) =>
    internalsIn(readFileSync(join(SRC, path), 'utf8')).map((what) => `${path}: ${what}`),
  )
  assert.equal(found, [])
})

test('Each kind of internals is found, and what only looks like one is not', () => {
  const samples = [
    'socket._read(0)',
    "readFileSync('/proc/self/stat')",
    "import { createHook } from 'node:async_hooks'",
    'http.Server.prototype = {}',
    'Server.prototype.close.call(server)',
    "socket.listeners('data')",
    "Object.defineProperty(response, 'statusCode', {})",
    "process.binding('http_parser')",
  ]
  assert.equal(samples.flatMap(internalsIn), Object.keys(INTERNALS))
  assert.equal(internalsIn('values._locale\n// of /proc/self\nconst _ = a._context_sets\n'), [])
})

test.run()
