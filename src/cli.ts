#!/usr/bin/env node
import module from 'node:module'
import { homedir } from 'node:os'
import { fileURLToPath } from 'node:url'

/** Node 22.8 has it. */
const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => unknown }

/** A folder of the user: code from one that others can write to must not run. Null where there is none. */
function cacheFolder(): string | null {
  const { NODE_COMPILE_CACHE, XDG_CACHE_HOME } = process.env
  if (NODE_COMPILE_CACHE) return NODE_COMPILE_CACHE
  try {
    return `${XDG_CACHE_HOME || `${homedir()}/.cache`}/menuscript`
  } catch {
    return null
  }
}

const folder = enableCompileCache === undefined ? null : cacheFolder()
if (folder !== null) enableCompileCache?.(folder)
const { main } = await import('./cli/main.js')
await main(fileURLToPath(import.meta.url))
