import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MenusFolder } from '../support/menus-folder.js'
import { takeBlocks } from './readme.js'

const LANGUAGES = ['sh', 'sh', 'sh', 'sh', 'json', 'sh', 'sh', 'json', 'sh', 'text']

/** The blocks of the five minutes in docs/start.md, by what they do. */
export interface Walk {
  readonly install: string
  readonly make: string
  readonly serve: string
  readonly ask: string
  readonly home: string
  readonly vary: string
  readonly askFor: string
  readonly shop: string
  readonly lint: string
  readonly found: string
}

export function takeWalk(): Walk {
  const blocks = takeBlocks('Your first menu in five minutes', LANGUAGES)
  const [install = '', make = '', serve = '', ask = '', home = '', vary = '', ...rest] = blocks
  const [askFor = '', shop = '', lint = '', found = ''] = rest
  return { install, make, serve, ask, home, vary, askFor, shop, lint, found }
}

/** The mistake of the five minutes. */
export function misspell(folder: MenusFolder): void {
  const main = join(folder.dir, 'menus/main.yaml')
  writeFileSync(main, readFileSync(main, 'utf8').replace('label', 'lable'))
}
