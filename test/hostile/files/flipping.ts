import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createMenusFolder, type MenusFolder } from '../../support/menus-folder.js'
import { startProcess } from '../../support/process.js'

/** A menus folder in which something is flipped without an end between what lies in it and what does not. */
export interface FlippedFolder extends MenusFolder {
  /** What lies outside; nothing of it may be read, shown or kept, and nothing may be written there. */
  readonly outside: MenusFolder
}

/** What a process does again and again: it flips a link, or puts a link in the place of a folder and takes it back. */
const FLIPS = {
  link: `symlinkSync(turn % 2 ? inside : outside, name + '.tmp')
    renameSync(name + '.tmp', name)`,
  folder: `renameSync(name, name + '.away')
    symlinkSync(outside, name)
    unlinkSync(name)
    renameSync(name + '.away', name)`,
} as const

/**
 * Flips `name` of a folder with these files between `inside` (from there, with `/`; it is not needed for a folder) and
 * the same path of a folder outside while some work lasts.
 */
export async function whileFlipped(
  files: Readonly<Record<string, string>>,
  flip: { readonly of: keyof typeof FLIPS; readonly name: string; readonly inside?: string },
  strangers: Readonly<Record<string, string>>,
  work: (folder: FlippedFolder) => Promise<void>,
): Promise<void> {
  const above = createMenusFolder()
  mkdirSync(join(above.dir, 'menus'))
  const folder = {
    ...createMenusFolder(files, join(above.dir, 'menus')),
    outside: createMenusFolder(strangers),
  }
  const words = [flip.name, flip.inside ?? '', join(folder.outside.dir, flip.of === 'link' ? flip.name : '')]
  folder.outside.write(
    'flip.mjs',
    `
    import { renameSync, symlinkSync, unlinkSync } from 'node:fs'
    const [name, inside, outside] = process.argv.slice(2)
    let goesOn = true
    process.on('SIGTERM', () => { goesOn = false })
    for (let turn = 0; goesOn; turn++) {
      ${FLIPS[flip.of]}
      // Only now is there a link: before, its place was free.
      if (turn === 0) console.log('flipping')
      if (turn % 1000 === 0) await new Promise(setImmediate)
    }
  `,
  )
  const flipping = startProcess('node', [join(folder.outside.dir, 'flip.mjs'), ...words], { cwd: folder.dir })
  await flipping.waitFor(/flipping/)
  try {
    await work(folder)
  } finally {
    await flipping.stop()
    folder.close()
    folder.outside.close()
    above.close()
  }
  if (flipping.stderr() !== '') throw new Error(flipping.stderr())
}
