import { isList, isMap, type Json } from '../../model/json.js'
import type { YamlLimits } from '../../model/limits.js'

/**
 * Counts the values in a value, itself included; null where it is over a limit. Goes level by level: operations can nest
 * deeper than recursion could follow.
 */
export function countValues(value: Json, { depth, nodes, keysPerMap }: YamlLimits): number | null {
  let count = 0
  let level: readonly Json[] = [value]
  for (let levels = 0; level.length > 0; levels++) {
    count += level.length
    if (levels > depth || count > nodes) return null
    const below: Json[] = []
    for (const each of level) {
      const values = isList(each) ? each : isMap(each) ? Object.values(each) : []
      if (isMap(each) && values.length > keysPerMap) return null
      for (const one of values) below.push(one)
    }
    level = below
  }
  return count
}
