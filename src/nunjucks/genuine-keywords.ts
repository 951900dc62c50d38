/** What compiled templates call to mark the map of their keyword arguments. */
interface Runtime {
  makeKeywordArgs: (map: object) => object
}

/** What is needed of an environment to learn its runtime; one without it takes no keyword arguments. */
export interface RenderingEnvironment {
  renderString?(source: unknown, context: object): unknown
}

/** The keyword arguments that the engines made. */
const made = new WeakSet<object>()
const watched = new WeakSet<Runtime>()

/**
 * Notes from now on which keyword arguments the engine of an environment makes; where that cannot be, none are
 * recognised. The mark that nunjucks gives them, `__keywords`, does not distinguish them from data: parsers of queries and of
 * JSON make maps with the same keys and prototype. But no data is the very map that a compiled template gave to its
 * runtime. Wrapping that one function affects nothing else. Preprocessing the templates instead would leave
 * out precompiled ones, and wrapping methods of the environment those that are compiled without them.
 */
export function watchKeywords(environment: RenderingEnvironment): void {
  const runtime = toRuntime(environment)
  if (typeof runtime?.makeKeywordArgs !== 'function' || watched.has(runtime)) return
  const { makeKeywordArgs } = runtime
  const makeAndNote = function (this: unknown, map: object): object {
    const keywords = makeKeywordArgs.call(this, map)
    made.add(keywords)
    return keywords
  }
  if (Reflect.set(runtime, 'makeKeywordArgs', makeAndNote)) watched.add(runtime)
}

/** Makes keyword arguments of a map, for a host whose templates give them in another way. */
export function asKeywords(map: object): object {
  made.add(map)
  return map
}

/** Whether a value is keyword arguments of a template, not data that resembles them. */
export function areKeywords(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && made.has(value)
}

/** The runtime comes to a compiled template as an argument, so one that is compiled already asks for it. */
function toRuntime(environment: RenderingEnvironment): Runtime | null {
  let found: Runtime | null = null
  const root = (_env: unknown, _context: unknown, _frame: unknown, runtime: Runtime, done: Done): void => {
    found = runtime
    done(null, '')
  }
  try {
    environment.renderString?.({ type: 'code', obj: { root } }, {})
    return found
  } catch {
    return null
  }
}

type Done = (error: null, output: string) => void
