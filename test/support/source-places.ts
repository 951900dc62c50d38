import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A place in a compiled file, as a stack trace has it. */
const PLACE = /file:\/\/[^\s():]+\.js:\d+:\d+/g

/**
 * Replaces the places in compiled files that a text names by those in their sources. If Node did that, every process would
 * keep all maps in memory, and the more memory a process has, the longer each start of git takes from it.
 */
export function toSourcePlaces(text: string): string {
  const maps = new Map<string, SourceMap | null>()
  return text.replace(PLACE, (place) => {
    const [url = '', line, column] = place.split(/:(?=\d+)/)
    const path = fileURLToPath(url)
    const map = maps.get(path) ?? readMap(`${path}.map`)
    maps.set(path, map)
    const entry = map?.findEntry(Number(line) - 1, Number(column) - 1)
    if (entry === undefined || !('originalSource' in entry)) return place
    return `${resolve(dirname(path), entry.originalSource)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
  })
}

function readMap(path: string): SourceMap | null {
  return existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, 'utf8'))) : null
}
