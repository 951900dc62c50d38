/** How much one menu, one file and one request may hold. Defaults and maxima: `schemas/config.schema.json`. */
export interface Limits {
  /** Items in a menu, all levels together. */
  readonly items: number
  /** Levels of nesting in a menu; the items at the top are level 1. */
  readonly levels: number
  /** Size of a menu file in bytes. */
  readonly bytes: number
  /** Context sets in a request. */
  readonly context_sets: number
  /** Keys in a context, of a request as of a file. */
  readonly context_keys: number
  /** Length of a request's query string in bytes, as encoded on the wire. */
  readonly query_bytes: number
  /** Connections that the server holds open at once. */
  readonly connections: number
}

/** The limits on a YAML text before anything is composed of it, derived from the limits of a menu. */
export interface YamlLimits {
  readonly depth: number
  readonly nodes: number
  readonly keysPerMap: number
}

/** An item nests a map in a list; around and inside the innermost one lie a few more (`label`, `routeParams` with a list). */
const DEPTH_PER_LEVEL = 2
const DEPTH_AROUND = 8
/** Room for every key that an item knows, eight locales, and eight parameters, permissions and attributes. */
const NODES_PER_ITEM = 96
const NODES_AROUND = 2_000
/** No map of a menu needs more, and a map with 40,000 keys is an attack on the code that compares them. */
const KEYS_PER_MAP = 500

/** The limits of the guard before the YAML parser: every menu within its own limits passes. */
export function toYamlLimits({ items, levels }: Limits): YamlLimits {
  return {
    depth: levels * DEPTH_PER_LEVEL + DEPTH_AROUND,
    nodes: items * NODES_PER_ITEM + NODES_AROUND,
    keysPerMap: KEYS_PER_MAP,
  }
}
