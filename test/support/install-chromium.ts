import { accessSync, constants } from 'node:fs'
import { findOrInstall } from './apt.js'

/** Debian's packages, the best first: without windows of its own, a Chromium takes half the processor time. */
const PACKAGES = ['chromium-headless-shell', 'chromium'] as const
/** Where installers put a Chromium. */
const USUAL = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
const REMEDY =
  'Install one (apt-get install chromium), set CHROME_PATH to the program, or leave these tests out with --no-browser.'

/**
 * A Chromium to test with, which is installed where we may: as root, where there is apt-get. Throws, in one line, when
 * there is none. Slow when it installs, and not to be called by two processes at once then.
 */
export function prepareChromium(): string {
  const installed = PACKAGES.reduce<string | null>(
    (found, name) => found ?? findOrInstall(findChromium, name),
    null,
  )
  if (installed === null) throw new Error(`There is no Chromium for the browser tests. ${REMEDY}`)
  return installed
}

/** The Chromium that is there: the one of `CHROME_PATH`, else one at a usual place; null when there is none. */
function findChromium(): string | null {
  const { CHROME_PATH: chosen } = process.env
  if (chosen !== undefined && chosen !== '') {
    if (isProgram(chosen)) return chosen
    throw new Error(`CHROME_PATH names no program: ${chosen}. ${REMEDY}`)
  }
  return USUAL.find(isProgram) ?? null
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
