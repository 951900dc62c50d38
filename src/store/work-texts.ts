import { join } from 'node:path'
import type { MenuTexts } from './git-menus.js'
import { readMenuBytes } from './read-file.js'
import { scanFolder } from './scan.js'

/** The texts of the menus that lie in a folder now; none where it cannot be listed. What cannot be read is left out. */
export function readTextsIn(
  root: string,
  { filePrefix, limit }: { readonly filePrefix: string; readonly limit: number },
): MenuTexts {
  const texts = new Map<string, Uint8Array>()
  const tooLarge = new Map<string, number>()
  for (const path of pathsIn(root, filePrefix)) {
    try {
      const { bytes, size } = readMenuBytes(join(root, path), limit)
      if (size > limit) tooLarge.set(path, size)
      else texts.set(path, bytes)
    } catch {
      // It went, or may not be read, which lint tells.
    }
  }
  return { texts, tooLarge }
}

function pathsIn(root: string, filePrefix: string): Iterable<string> {
  try {
    const steps = scanFolder(root, filePrefix)
    for (;;) {
      const step = steps.next()
      if (step.done) return step.value.signatures.keys()
    }
  } catch {
    return []
  }
}
